import { AwsError, createSsm, type SimulatedSsm } from '@drover/cloud-sandbox/aws';
import { createRandom, createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { missingTool } from './machine.ts';
import { requestsOfBoots, type UnansweredBoot } from './requests-of-boot.ts';
import { textOf } from './support.ts';

const count = 300;
/** The requests to read a value that Parameter Store takes of an account without a raised quota. */
const requestsPerSecond = 40;
const name = '/drover/prod/bootstrap-kubeconfig';

const seeds = Array.from({ length: count }, (_, index) => 1 + index * 7919);

/** The requests of instances that boot at the same second, with the retries that their script itself computes. */
async function unansweredBoots(flags: string): Promise<readonly UnansweredBoot[]> {
  const [, script = ''] = /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(await textOf('script', flags)) ?? [];
  return requestsOfBoots(script, seeds);
}

/** Every boot asks until it is answered; nothing is answered before `outageSeconds`, and then 40 requests a second. */
function play(boots: readonly UnansweredBoot[], outageSeconds: number) {
  const clock = createVirtualClock();
  const ssm = createSsm({
    clock,
    accountId: '123456789012',
    region: 'eu-west-1',
    timings: { requestsPerSecond },
  });
  ssm.operations.PutParameter(
    { Name: name, Value: 'x', Type: 'SecureString' },
    {
      principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:root', accessKeyId: 'AKIA' },
      requestId: 'test',
    },
  );
  const random = createRandom(2);
  const start = clock.now();
  const requests = boots
    .flatMap((boot, instance) => {
      const moment = random.next();
      return boot.requests.map((second) => ({ instance, at: second + moment }));
    })
    .toSorted((one, other) => one.at - other.at);
  const joined = new Map<number, number>();
  const perSecond = new Map<number, number>();
  for (const { instance, at } of requests) {
    if (joined.has(instance)) continue;
    clock.moveTo(start + at * 1000);
    perSecond.set(Math.floor(at), (perSecond.get(Math.floor(at)) ?? 0) + 1);
    if (at >= outageSeconds && isAnswered(ssm)) joined.set(instance, at);
  }
  return { joined: [...joined.values()], perSecond };
}

function isAnswered({ operations }: SimulatedSsm): boolean {
  try {
    return operations.GetParameter({ Name: name, WithDecryption: true }).Parameter?.Value === 'x';
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ThrottlingException') return false;
    throw error;
  }
}

describe.skipIf(missingTool !== undefined)('three hundred instances that boot at the same second', () => {
  it('all get their credential within the pause after the throttling of a minute, at different moments', async () => {
    const boots = await unansweredBoots('--fetch-timeout 3m');
    const { joined, perSecond } = play(boots, 60);
    expect(joined).toHaveLength(count);
    // Half a minute is the longest pause; a request that comes in a full second takes one more.
    expect(Math.max(...joined)).toBeLessThan(60 + 2 * 31);
    expect(new Set(joined.map(Math.floor)).size).toBeGreaterThan(20);
    // Once the first requests are over, Parameter Store is asked less often than it answers.
    const later = [...perSecond].filter(([second]) => second >= 30).map(([, requests]) => requests);
    expect(Math.max(...later)).toBeLessThan(requestsPerSecond);
  });

  it('all get their credential within seconds where Parameter Store only takes no more than 40 requests a second', async () => {
    const { joined } = play(await unansweredBoots('--fetch-timeout 1m'), 0);
    expect(joined).toHaveLength(count);
    expect(Math.max(...joined)).toBeLessThan(30);
  });

  it('all get their credential without a spread too, later', async () => {
    const { joined, perSecond } = play(await unansweredBoots('--fetch-timeout 2m --spread 0s'), 0);
    expect(joined).toHaveLength(count);
    expect(perSecond.get(0)).toBe(count);
    expect(Math.max(...joined)).toBeLessThan(90);
  });

  it('give up within the time of --fetch-timeout and one pause, after a bounded number of requests', async () => {
    const boots = await unansweredBoots('--fetch-timeout 15m');
    for (const { requests, gaveUp } of boots) {
      expect(gaveUp).toBe(true);
      expect(requests.length).toBeLessThan(90);
      expect(requests.at(-1)).toBeGreaterThanOrEqual(900);
      expect(requests.at(-1)).toBeLessThanOrEqual(900 + 30);
    }
  });
});
