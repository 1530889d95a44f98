import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../cli/exit-codes.ts';
import { clockVariable, formatSimulatedTime, timeIn } from '../../cli/simulated-time.ts';

const moment = fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 });
const clock = (text: string) => ({ [clockVariable]: text });

describe('the time of a command', () => {
  it('is that of the machine without a sandbox at another speed', () => {
    expect(timeIn({}, 1000)).toBe(1000);
    expect(timeIn(clock(''), 1000)).toBe(1000);
  });

  it('passes as fast as that of the sandbox', () => {
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.constantFrom(0.1, 0.5, 5, 20, 100),
        fc.nat(3_600_000),
        (simulatedAt, realAt, speed, passed) => {
          const environment = clock(formatSimulatedTime({ simulatedAt, realAt, speed }));
          expect(timeIn(environment, realAt)).toBe(simulatedAt);
          expect(timeIn(environment, realAt + passed)).toBe(Math.floor(simulatedAt + passed * speed));
        },
      ),
    );
  });

  it.each(['20', 'a,b,c', '1,2', '1,2,0', '1,2,-5', '1,2,3,4', '1,2,Infinity', ',,', '2026-11-28T08:00:00Z'])(
    'is refused if no sandbox has written it: %s',
    (text) => {
      expect(() => timeIn(clock(text), Date.UTC(2026, 10, 28))).toThrow(CliError);
    },
  );
});
