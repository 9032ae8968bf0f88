/* The table of SASS opcodes; see accel_opcode.h. The names are those of the opcode tables of Accel-Sim,
 * from Kepler to Ampere. */
#include "workloads/accelsim/accel_opcode.h"

#include <stdlib.h>
#include <string.h>

/* From this binary version on (Maxwell), LD and ST are generic; before, they are global. */
enum { GENERIC_SINCE = 50 };

/* The opcodes of each class, each between blanks. */
static const struct {
  enum wl_op op;
  const char *names;
} classes[] = {
    {WL_SFU, " MUFU DADD DFMA DMMA DMNMX DMUL DSET DSETP BMMA HMMA IMMA "},
    {WL_SHARED, " LDS LDSLK LDSM STS STSCUL ATOMS "},
    {WL_CONST, " LDC ULDC "},
    {WL_TEX, " TEX TEXS TLD TLD4 TLD4S TLDS TMML TXD TXQ SUATOM SULD SULDGA SUQUERY SURED SUST SUSTGA "},
    {WL_LOAD, " LD LDG LDL LDGSTS "},
    {WL_STORE, " ST STG STL "},
    {WL_ATOMIC, " ATOM ATOMG RED "},
    {WL_FENCE, " MEMBAR "},
    {WL_BARRIER, " BAR "},
    {WL_EXIT, " EXIT "},
    {WL_ALU,
     " B2R BFE BFI BMOV BMSK BPT BRA BREAK BREV BRK BRX BRXU BSSY BSYNC CAL CALL CCTL CCTLL CCTLT CONT CS2R "
     "CSET "
     "CSETP CSMTEST DEPBAR ERRBAR F2F F2I F2IP FADD FADD32I FCHK FCMP FFMA FFMA32I FLO FMNMX FMUL FMUL32I "
     "FRND "
     "FSEL FSET FSETP FSWZ FSWZADD GETLMEMBASE HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 "
     "HSETP2 I2F I2FP I2I I2IP IABS IADD IADD3 IADD32I ICMP IDP IDP4A IMAD IMADSP IMNMX IMUL IMUL32I ISAD "
     "ISCADD "
     "ISCADD32I ISET ISETP ISUB JCAL JMP JMX JMXU KILL LDGDEPBAR LEA LEPC LOP LOP3 LOP32I MATCH MOV MOV32I "
     "MOVM "
     "NANOSLEEP NOP P2R PBK PCNT PEXIT PLOP3 PMTRIG POPC PRET PRMT PSET PSETP QSPC R2B R2P R2UR REDUX RET "
     "RPCMOV "
     "RRO RTT S2R S2UR SEL SETCTAID SETLMEMBASE SGXT SHF SHFL SHL SHR SSY SUBFM SUCLAMP SUEAU SYNC UBMSK "
     "UBREV "
     "UCLEA UF2FP UFLO UIADD3 UIMAD UISETP ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP "
     "UR2UP USEL "
     "USGXT USHF USHL USHR VABSDIFF VABSDIFF4 VADD VMNMX VOTE VOTEU VOTE_VTG WARPSYNC XMAD YIELD "},
};

enum { CLASSES = sizeof classes / sizeof *classes, MAX_NAME = 16, LDSM_ROW = 16 };

static bool named(const char *names, const char *name, size_t n) {
  char padded[MAX_NAME + 3] = " ";
  memcpy(padded + 1, name, n);
  padded[n + 1] = ' ';
  return strstr(names, padded);
}

/* Returns the bytes of a modifier that is a number of bits, such as "64" or, after U or S, "U8"; else 0. */
static uint8_t bytes_of(const char *token, size_t n) {
  static const char *const bits[] = {"8", "16", "32", "64", "128"};
  const size_t letter = n && (*token == 'U' || *token == 'S');
  for (unsigned i = 0; i < 5; i++)
    if (strlen(bits[i]) == n - letter && memcmp(token + letter, bits[i], n - letter) == 0)
      return (uint8_t)(1U << i);
  return 0;
}

struct wl_opcode wl_opcode_of(const char *opcode, unsigned version) {
  struct wl_opcode c = {.op = WL_ALU};
  const size_t n = strcspn(opcode, ".");
  for (int i = 0; i < CLASSES && n && n <= MAX_NAME && !c.known; i++)
    if (named(classes[i].names, opcode, n))
      c = (struct wl_opcode){.op = classes[i].op, .known = true};
  c.generic = version >= GENERIC_SINCE && n == 2 && (c.op == WL_LOAD || c.op == WL_STORE);
  for (const char *token = opcode + n; *token && !c.size; token += strcspn(token, ".")) {
    token++;
    c.size = bytes_of(token, strcspn(token, "."));
  }
  if (n == 4 && memcmp(opcode, "LDSM", 4) == 0)
    c.size = LDSM_ROW; /* its numbers describe the matrix; a lane addresses a row of it */
  return c;
}
