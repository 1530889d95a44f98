import { expect, it } from 'vitest';
import { measureLogIns } from '../../../scripts/bench/log-ins.ts';

it('log-ins of nodes cost one page of EC2 an environment at once, few calls later, and none is lost while AWS refuses', async () => {
  const { burst, steady, throttled } = await measureLogIns({ nodes: 10, apiServers: 3 });
  expect(burst).toEqual({ ec2PerEnvironment: 1, admitted: 30 });
  expect(steady.refused).toBe(0);
  expect(steady.ec2PerSecond).toBeLessThanOrEqual(0.1);
  expect(throttled.refused).toBe(0);
  expect(throttled.ec2PerSecond).toBeLessThanOrEqual(0.1);
});
