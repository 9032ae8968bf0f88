"""The control registers of configs/apb under Icarus, driven by cocotbext-axi's APB requester, held against the register map that
PeakRDL's compiler reads from apb_regs.rdl; apb_check watches.

usage: python apb_regs.py SEED WORK_DIR RDL VERILOG...      prints "N passed, N failed"
"""

import functools
import os
import random
import sys

SPACE = 4096


def main():
    """Builds and runs; the tests below are found by cocotb in this module."""
    from cocotb_tools.runner import get_results, get_runner

    seed, work, rdl = sys.argv[1:4]
    sources = [os.path.abspath(f) for f in sys.argv[4:]]
    runner = get_runner("icarus")
    where = {"hdl_toplevel": "apb_checked", "build_dir": work}
    runner.build(sources=sources, build_args=["-g2005"], timescale=("1ns", "1ps"), always=True, **where)
    os.environ["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))
    results = runner.test(test_module="apb_regs", extra_env={"SEED": seed, "RDL": os.path.abspath(rdl)}, **where)
    tests, failed = get_results(results)
    print(f"{tests - failed} passed, {failed} failed")
    return failed != 0 or tests == 0


if __name__ == "__main__":
    sys.exit(main())

import cocotb  # noqa: E402
from cocotb.clock import Clock  # noqa: E402
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout  # noqa: E402
from cocotbext.axi import ApbBus, ApbMaster  # noqa: E402
from systemrdl import RDLCompiler  # noqa: E402


NAMES = ["issues", "issue_waits", "loads", "hits", "merges", "misses", "bypasses", "evictions", "reads", "writes",
         "memory_waits"]
WIDTH = 48  # of a counter: bus.counter_bits of configs/apb


class Word:
    """32 bits of the map: which of them software writes, what they are after a reset, which of these the hardware changes; of a
    threshold, which is a word's only field, its least and most."""

    def __init__(self):
        self.written = self.reset = self.changed = self.pulse = 0
        self.least = self.most = None

    def legal(self, value):
        return self.most is None or self.least <= value <= self.most


@functools.cache
def the_map_of_rdl():
    compiler = RDLCompiler()
    compiler.compile_file(os.environ["RDL"])
    return compiler.elaborate().top


def words():
    """Of the SystemRDL: address -> Word."""
    found = {}
    for reg in the_map_of_rdl().registers():
        for half in range(reg.get_property("regwidth") // 32):
            word = found[reg.absolute_address + 4 * half] = Word()
            for field in reg.fields():
                mask = (((1 << field.width) - 1) << field.low) >> 32 * half & 0xFFFFFFFF
                word.reset |= (field.get_property("reset") << field.low) >> 32 * half & 0xFFFFFFFF
                word.written |= mask if field.is_sw_writable else 0
                word.changed |= mask if field.is_hw_writable else 0
                word.pulse |= mask if field.get_property("singlepulse") else 0
                word.least, word.most = (field.get_property(name, default=None) for name in ("at_least", "at_most"))
    return found


def at(name):
    return the_map_of_rdl().find_by_path(name).absolute_address


class Requester:
    """Whole words; every answer comes in time."""

    def __init__(self, dut):
        self.dut = dut
        self.rng = random.Random(int(os.environ["SEED"]))
        self.apb = ApbMaster(ApbBus.from_prefix(dut, "s_apb"), dut.clk, dut.rst)
        self.apb.set_pause_generator(iter(lambda: self.rng.random() < 0.5, None))

    async def read(self, address, size=4):
        answer = await with_timeout(self.apb.read(address, size), 2, "us")
        return None if answer.resp else int.from_bytes(answer.data, "little")

    async def write(self, address, value, size=4):
        """False: PSLVERR."""
        answer = await with_timeout(self.apb.write(address, value.to_bytes(size, "little")), 2, "us")
        return not answer.resp


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 1, "ns").start())
    for name in "flush", "pick_valid", "ev":
        getattr(dut, name).value = 0
    requester = Requester(dut)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    await reset(dut)
    return requester


async def reset(dut):
    end(dut)  # a reset clears what the checker has seen
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


def end(dut):
    assert int(dut.requester.value) == 0, f"the requester breaks rule {dut.requester.value}"
    assert int(dut.completer.value) == 0, f"the registers break rule {dut.completer.value}"
    assert int(dut.answers.value) == 0, f"the registers' answers: {dut.answers.value}"


@cocotb.test()
async def the_map(dut):
    """Each word of the map has its value after a reset; all other addresses are errors."""
    requester, known = await begin(dut), words()
    assert await requester.read(at("hits") + 4) == 0, "the upper half before any lower one"
    there = sorted(known) + [a for a in range(0, SPACE, 4) if a not in known and (a < 0x200 or requester.rng.random() < 0.1)]
    requester.rng.shuffle(there)
    for address in there:
        value = await requester.read(address)
        if address not in known:
            assert value is None, f"{address:#x} is read as {value:#x}, and is not in the map"
            assert not await requester.write(address, 0), f"{address:#x} is written, and is not in the map"
        else:
            assert value is not None, f"{address:#x} is an error, and is in the map"
            constant = ~known[address].changed
            assert value & constant == known[address].reset & constant, f"{address:#x} is {value:#x} after a reset"
    assert len(known) > 20
    end(dut)


@cocotb.test()
async def unaligned(dut):
    """An address that is no multiple of 4 is an error."""
    requester = await begin(dut)
    for address in sorted(words()):
        odd = address + requester.rng.randrange(1, 4)
        assert await requester.read(odd, 1) is None and not await requester.write(odd, 0, 1)
    end(dut)


@cocotb.test()
async def writes(dut):
    """What software may write keeps what was written, a byte or more; all else refuses it, or keeps what it is."""
    requester, known = await begin(dut), words()
    rng, now = requester.rng, {a: w.reset for a, w in known.items()}
    for _ in range(300):
        address = rng.choice([a for a in known if known[a].written] if rng.random() < 0.7 else list(known))
        word, value, size = known[address], rng.getrandbits(32), rng.randrange(1, 5)
        if word.most is not None and rng.random() < 0.7:
            value = rng.choice((word.least, word.most, word.most + 1, rng.randrange(word.most + 1)))
        bytes_written = (1 << 8 * size) - 1
        value &= bytes_written
        legal = word.legal(now[address] & ~bytes_written | value)
        done = await requester.write(address, value, size)
        assert done == (word.written != 0 and legal), f"{value:#x} to {address:#x}: {'done' if done else 'PSLVERR'}"
        if done:
            taken = word.written & bytes_written
            now[address] = (now[address] & ~taken | value & taken) & ~word.pulse
        back = rng.choice(list(known))
        value = await requester.read(back)
        constant = ~known[back].changed
        assert value & constant == now[back] & constant, f"{back:#x} is {value:#x}, written was {now[back]:#x}"
    end(dut)


@cocotb.test()
async def enables(dut):
    """CASC's and MASCAR's change at once, MemSched's with the next flush."""
    requester = await begin(dut)
    enable, active = at("enable"), at("active")
    bit = {field.inst_name: 1 << field.low for field in the_map_of_rdl().find_by_path("enable").fields()}
    everything, rests = sum(bit.values()), bit["memsched_en"]
    assert len(bit) == 3 and await requester.read(at("has_enables")) == everything

    async def shown(value):
        assert await requester.read(active) == value
        for name, mask in bit.items():
            assert int(getattr(dut, name).value) == (value & mask != 0), name

    now, seen = everything, set()
    await shown(now)
    for i in range(40):
        written = requester.rng.choice((0, everything, *bit.values())) if i % 2 else requester.rng.getrandbits(32)
        await requester.write(enable, written)
        await ClockCycles(dut.clk, 2)
        now = written & everything & ~rests | now & rests
        await shown(now)
        dut.flush.value = 1
        await RisingEdge(dut.clk)
        dut.flush.value = 0
        await ClockCycles(dut.clk, 2)
        now = written & everything
        await shown(now)
        seen.add(now)
        if i % 8 == 7:
            await reset(dut)
            now = everything
            await shown(now)
    assert len(seen) > 4
    end(dut)


@cocotb.test()
async def thresholds(dut):
    """All values from the least to the most leave them as they are written, and no others."""
    requester, known = await begin(dut), words()
    for name in "mascar_mshrs", "mascar_places":
        address, port = at(name), getattr(dut, name)
        word = known[address]
        assert int(port.value) == word.reset and (word.least, word.most) == (0, {"mascar_mshrs": 31, "mascar_places": 7}[name])
        last = word.reset
        some = list(range(word.most + 3)) + [1 << bit for bit in range(32)] + [0xFFFFFFFF]
        requester.rng.shuffle(some)
        for value in some:
            legal = word.least <= value <= word.most
            assert await requester.write(address, value) == legal, f"{value:#x} to {name}"
            last = value if legal else last
            assert await requester.read(address) == last == int(port.value), name
        await reset(dut)
        assert await requester.read(address) == word.reset == int(port.value), name
    end(dut)


@cocotb.test()
async def counters(dut):
    """They count what happens, stand still, and are cleared."""
    requester = await begin(dut)
    rng, control = requester.rng, at("control")
    count = dict.fromkeys(NAMES + ["instructions"], 0)
    for _ in range(4):
        for _ in range(100):
            ev, picks = rng.getrandbits(11), rng.getrandbits(2)
            dut.ev.value, dut.pick_valid.value = ev, picks
            await RisingEdge(dut.clk)
            for i, name in enumerate(NAMES):
                count[name] += ev >> i & 1
            count["instructions"] += picks.bit_count()
        dut.ev.value, dut.pick_valid.value = 0, 0
        await requester.write(control, rng.randrange(2))
        cycles = await requester.read(at("cycles"), 8)
        for name, value in count.items():
            assert await requester.read(at(name), 8) == value, name
        still = await requester.read(control)
        assert (await requester.read(at("cycles"), 8) == cycles) == (still == 1)
        if still:  # nothing counts
            dut.ev.value = 2047
            await ClockCycles(dut.clk, 5)
            dut.ev.value = 0
            await ClockCycles(dut.clk, 2)
            assert await requester.read(at("hits"), 8) == count["hits"]
        await requester.write(control, 2)
        count = dict.fromkeys(count, 0)
        assert await requester.read(control) == 0
    end(dut)


@cocotb.test()
async def carries(dut):
    """Counters that are about to pass 2 to the power of 32, or to wrap, do; the upper half is as of when the lower was read."""
    requester = await begin(dut)
    rng, names = requester.rng, ["cycles", "instructions"] + NAMES
    for _ in range(6):
        await requester.write(at("control"), 1)  # they stand still, so that what is deposited stays
        count = [(1 << rng.choice((32, 33, 40, WIDTH))) - rng.randrange(1, 100) for _ in names]
        start = list(count)
        dut.u_regs.count_q.value = sum(value << WIDTH * i for i, value in enumerate(count))
        await requester.write(at("control"), 0)
        for _ in range(100):
            ev, picks = rng.getrandbits(11), rng.getrandbits(2)
            dut.ev.value, dut.pick_valid.value = ev, picks
            await RisingEdge(dut.clk)
            count[1] += picks.bit_count()
            for i in range(len(NAMES)):
                count[2 + i] += ev >> i & 1
        dut.ev.value, dut.pick_valid.value = 0, 0
        carried = 0
        for name, value, begun in list(zip(names, count, start))[1:]:
            low = await requester.read(at(name))
            await requester.read(at("scratch"))  # the upper half stays, whatever is read but counters
            high = await requester.read(at(name) + 4)
            assert high << 32 | low == value % (1 << WIDTH), f"{name}: {high:#x} {low:#x}, there were {value:#x}"
            carried += value >> 32 != begun >> 32
        assert carried > 1
        # the cycles go on between the two reads: the upper half is the older one's
        before = (1 << 32) - rng.randrange(1, 12)
        dut.u_regs.count_q.value = before
        low, high = await requester.read(at("cycles")), await requester.read(at("cycles") + 4)
        assert high == (0 if low >= before else 1), f"cycles: {high:#x} {low:#x}"
        dut.u_regs.count_q.value = 0
    end(dut)


@cocotb.test()
async def reset_in_flight(dut):
    """A reset forgets the transfer that goes on; afterwards all is as at first."""
    requester, known = await begin(dut), words()
    rng = requester.rng
    for _ in range(40):
        cocotb.start_soon(requester.apb.write(at("scratch"), rng.randbytes(4)))
        cocotb.start_soon(requester.apb.write(at("enable"), rng.randbytes(4)))
        await ClockCycles(dut.clk, rng.randrange(1, 14))
        await reset(dut)
        for name in "scratch", "enable", "control":
            assert await requester.read(at(name)) == known[at(name)].reset, name
    end(dut)
