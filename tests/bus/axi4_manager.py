"""The manager of configs/axi4 against the subordinates of cocotbext-axi, under Icarus: alone, or behind the L1D (l1d_axi4.v).

usage: python axi4_manager.py axi4_manager|l1d_axi4 SEED WORK_DIR VERILOG...      prints "N passed, N failed"
$SCALE: so many times as many requests in the tests that count them (1). Of the manager alone each of these tests prints its
transfers, handshakes at the five channels.
"""

import os
import random
import sys

SCALE = int(os.environ.get("SCALE", "1"))
LINE, LINES, BEATS, MSHRS, FILL, BYPASSED, STORE = 128, 512, 8, 32, 0, 1, 2


def main():
    """Builds and runs; the tests below are found by cocotb in this module."""
    from cocotb_tools.runner import get_results, get_runner

    top, seed, work = sys.argv[1:4]
    sources = [os.path.abspath(f) for f in sys.argv[4:]]
    here = os.path.dirname(os.path.abspath(__file__))
    runner = get_runner("icarus")
    where = {"hdl_toplevel": top, "build_dir": work}
    runner.build(sources=sources, includes=[here], build_args=["-g2005"], timescale=("1ns", "1ps"), always=True, **where)
    os.environ["PYTHONPATH"] = here
    results = runner.test(test_module="axi4_manager", extra_env={"SEED": seed}, **where)
    tests, failed = get_results(results)
    print(f"{tests - failed} passed, {failed} failed")
    return failed != 0 or tests == 0


if __name__ == "__main__":
    sys.exit(main())

import cocotb  # noqa: E402
from cocotb.clock import Clock  # noqa: E402
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge  # noqa: E402
from cocotbext.axi import AddressSpace, AxiBus, AxiRam, AxiSlave, MemoryRegion  # noqa: E402


class Sm:
    """The requester: random requests, and what each must be answered with."""

    def __init__(self, dut, rng, lines):
        self.dut, self.rng, self.lines = dut, rng, lines
        self.image = {}  # line -> bytes, as the stores that were taken made it
        self.inside = {}  # name -> (line, what it must bring)
        self.refused = lambda line: False  # the subordinate's errors
        self.answers = self.errors = self.transfers = 0

    request, answer = "req", "rsp"  # the ports
    inputs = ["req_kind", "req_id", "req_wid", "req_slot", "req_num", "req_line", "req_last", "req_wdata", "req_wmask"]

    def start(self):
        for port in self.inputs + [self.request + "_valid", self.answer + "_ready", "clear"]:
            getattr(self.dut, port).value = 0

    def draw(self):
        """A request whose name nothing inside has; None: not now."""
        rng = self.rng
        kind = rng.choice((FILL, FILL, BYPASSED, STORE))
        who = ((0, 0, 0) if kind == FILL else (rng.randrange(48), rng.randrange(4), rng.randrange(32)))
        name = (kind, rng.randrange(MSHRS) if kind == FILL else 0, *who)
        return None if name in self.inside else (name, rng.randrange(self.lines))

    def offer(self, name, line):
        dut, rng = self.dut, self.rng
        kind, mshr, wid, slot, num = name
        data, mask = rng.getrandbits(8 * LINE), rng.getrandbits(LINE)
        self.name(kind, mshr)
        for port, value in (("valid", 1), ("line", line), ("wid", wid), ("slot", slot), ("num", num), ("last", 1),
                            ("wdata", data), ("wmask", mask)):
            getattr(dut, f"{self.request}_{port}").value = value
        return data, mask

    def name(self, kind, mshr):
        self.dut.req_kind.value = kind
        self.dut.req_id.value = mshr

    def taken(self, name, line, data, mask):
        old = self.image.get(line, bytes(LINE))
        if name[0] == STORE:
            new = data.to_bytes(LINE, "little")
            if not self.refused(line):
                self.image[line] = bytes(n if mask >> i & 1 else o for i, (o, n) in enumerate(zip(old, new)))
        self.inside[name] = (line, old)
        self.transfers += BEATS + (2 if name[0] == STORE else 1)  # AW, W..., B; AR, R...

    def answered(self):
        """What is at rsp, in a cycle in which it is taken."""
        dut = self.dut
        kind = int(dut.rsp_kind.value)
        name = (kind, *(int(getattr(dut, "rsp_" + f).value) for f in ("id", "wid", "slot", "num")))
        assert name in self.inside, f"{name} is the answer to no request"
        line, due = self.inside.pop(name)
        error = int(dut.rsp_error.value)
        assert (error == 2) == self.refused(line), f"line {line}: error {error}"
        self.errors += error != 0
        self.answers += 1
        if kind != STORE and not error:
            got = int(dut.rsp_data.value).to_bytes(LINE, "little")
            assert got == due, f"line {line} is not as the stores before its load made it"

    async def run(self, requests, limit=100000 * SCALE):
        """So many requests, and all their answers; or, if `requests` is None, as many as `limit` cycles bring."""
        dut, rng = self.dut, self.rng
        offered, sent = None, 0
        offers, takes = (getattr(dut, f"{self.request}_{end}") for end in ("valid", "ready"))
        for _ in range(limit):
            if not offered and (requests is None or sent < requests):
                drawn = self.draw() if rng.random() < 0.8 else None
                if drawn:
                    offered = (*drawn, *self.offer(*drawn))
                    sent += 1
            if not offered:
                offers.value = 0
            ready, valid = (getattr(dut, f"{self.answer}_{end}") for end in ("ready", "valid"))
            ready.value = rng.random() < 0.7
            await ReadOnly()
            take = offered and int(takes.value)
            if int(valid.value) and int(ready.value):
                self.answered()
            if take:
                self.taken(*offered)
                offered = None
            await RisingEdge(dut.clk)
            if requests is not None and sent == requests and not offered and not self.inside:
                offers.value = 0
                if ALONE:
                    print(f"transfers: {self.transfers}", flush=True)
                return
        assert requests is None, f"nothing more comes: {len(self.inside)} requests are inside"


class L1d(Sm):
    """The same in front of the L1D, which has an answer for each request as well."""

    request, answer = "sm_req", "resp"
    inputs = ["flush"] + ["sm_req_" + field for field in ("write", "wid", "slot", "num", "line", "last", "wdata", "wmask")]

    def draw(self):
        rng = self.rng
        name = (rng.choice((FILL, STORE)), 0, rng.randrange(48), rng.randrange(4), rng.randrange(32))
        twin = (FILL + STORE - name[0], *name[1:])
        return None if name in self.inside or twin in self.inside else (name, rng.randrange(self.lines))

    def name(self, kind, mshr):
        self.dut.sm_req_write.value = kind == STORE

    def answered(self):
        dut = self.dut
        kind = STORE if int(dut.resp_write.value) else FILL
        name = (kind, 0, *(int(getattr(dut, "resp_" + f).value) for f in ("wid", "slot", "num")))
        assert name in self.inside, f"{name} is the answer to no request"
        line, due = self.inside.pop(name)
        error = int(dut.resp_error.value)
        assert error == self.refused(line), f"line {line}: error {error}"
        self.errors += error
        self.answers += 1
        if kind == FILL and not error:
            got = int(dut.resp_data.value).to_bytes(LINE, "little")
            assert got == due, f"line {line} is not as the stores before its load made it"


def pauses(rng, share):
    while True:
        yield rng.random() < share


def hold_back(rng, slave, share):
    for channel in (slave.write_if.aw_channel, slave.write_if.w_channel, slave.write_if.b_channel,
                    slave.read_if.ar_channel, slave.read_if.r_channel):
        channel.set_pause_generator(pauses(rng, share))


async def reset(dut):
    dut.rst.value = 1
    await ClockCycles(dut.clk, 5)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


async def begin(dut, lines=LINES):
    rng = random.Random(int(os.environ["SEED"]))
    sm = (Sm if ALONE else L1d)(dut, rng, lines)
    sm.start()
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    return rng, sm


async def meets(dut, share, lines):
    rng, sm = await begin(dut, lines)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=LINE * LINES)
    hold_back(rng, ram, share)
    await reset(dut)
    await sm.run(150 * SCALE)
    assert sm.answers == 150 * SCALE and int(dut.errors.value) == 0 and int(dut.fault.value) == 0
    for line, data in sm.image.items():
        assert ram.read(line * LINE, LINE) == data, f"line {line} is not in the memory"


@cocotb.test()
async def plain(dut):
    """Nothing stalls."""
    await meets(dut, 0.0, LINES)


@cocotb.test()
async def back_pressure(dut):
    """All channels stall at random; few lines, so that requests of one line meet."""
    await meets(dut, 0.5, 8)


@cocotb.test()
async def standstill(dut):
    """All channels stall most of the time; requests of two lines alone."""
    await meets(dut, 0.9, 2)


class Refuses(MemoryRegion):
    """Lines of an odd 8 are not there."""

    async def _read(self, address, length, **kw):
        if address // LINE >> 3 & 1:
            raise RuntimeError("refused")
        return await super()._read(address, length, **kw)

    async def _write(self, address, data, **kw):
        if address // LINE >> 3 & 1:
            raise RuntimeError("refused")
        await super()._write(address, data, **kw)


ALONE = cocotb.top is not None and cocotb.top._name == "axi4_manager"


@cocotb.test()
async def slave_error(dut):
    """SLVERR comes with the answers of the lines that are refused, and is counted: loads that share a line count once."""
    rng, sm = await begin(dut, 32)
    sm.refused = lambda line: bool(line >> 3 & 1)
    space = AddressSpace(2**32)
    space.register_region(Refuses(LINE * LINES), 0)
    slave = AxiSlave(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, target=space)
    hold_back(rng, slave, 0.3)
    await reset(dut)
    await sm.run(120 * SCALE)
    assert sm.errors > 0
    counted = int(dut.errors.value)
    assert counted == min(sm.errors, 255) if ALONE else 0 < counted <= sm.errors
    assert int(dut.fault.value) == 0


@cocotb.test()
async def reset_in_flight(dut):
    """A reset forgets what is inside, on both sides; afterwards all goes on."""
    rng, sm = await begin(dut, 64)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=LINE * LINES)
    hold_back(rng, ram, 0.4)
    await reset(dut)
    for _ in range(4):
        await sm.run(None, 30 + rng.randrange(60))
        assert sm.inside, "nothing was in flight"
        sm.start()
        await reset(dut)
        sm.inside.clear()
        # what the memory has taken of the stores before is known only there
        sm.image = {line: bytes(ram.read(line * LINE, LINE)) for line in range(64)}
    await sm.run(60)
    assert int(dut.fault.value) == 0
