import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNodeInstances, type ListedInstance } from '../../../shared/identity/node-instances.ts';

const roleArn = 'arn:aws:iam::123456789012:role/worker';
const profileArn = 'arn:aws:iam::123456789012:instance-profile/worker';
const settled = () => new Promise((resolve) => setImmediate(resolve));
const nameOf = (instanceId: string) => `ip-${instanceId.slice(2)}.ec2.internal`;

class Refusal extends Error {}

/** A role with its instances, and how AWS answers about them. */
function createRole({ chance = 0.5 }: { readonly chance?: number } = {}) {
  const clock = createManualClock();
  const running = new Map<string, string | undefined>();
  const profiles: string[] = [profileArn];
  const calls = { iam: 0, ec2: 0 };
  const errors: string[] = [];
  const aws: { iam: 'answers' | 'refuses'; ec2: 'answers' | 'refuses' | 'hangs' | 'denies' } = {
    iam: 'answers',
    ec2: 'answers',
  };
  const listInstances = async (): Promise<readonly ListedInstance[]> => {
    calls.ec2 += 1;
    if (aws.ec2 === 'refuses') throw new Refusal('RequestLimitExceeded');
    if (aws.ec2 === 'denies') throw new Error('UnauthorizedOperation');
    if (aws.ec2 === 'hangs') return new Promise<never>(() => {});
    return [...running].map(([instanceId, privateDnsName]) => ({ instanceId, privateDnsName }));
  };
  const find = createNodeInstances({
    clock,
    chance: () => chance,
    isThrottled: (error) => error instanceof Refusal,
    log: { error: (message: string) => errors.push(message) } as never,
    source: {
      listProfiles: async () => {
        calls.iam += 1;
        if (aws.iam === 'refuses') throw new Refusal('Throttling');
        return [...profiles];
      },
      listInstances,
    },
  });
  const launch = (instanceId: string) => running.set(instanceId, nameOf(instanceId));
  /** The name of the node, `no` for one that is not admitted, or the name of the error. */
  const ask = async (instanceId: string): Promise<string> => {
    const asked = find({ instanceId, roleArn }).then(
      (instance) => instance?.privateDnsName ?? 'no',
      (error: Error) => error.name,
    );
    await settled();
    return await asked;
  };
  /** For an answer that waits: time goes on until it is there. */
  const askWaiting = async (
    instanceId: string,
  ): Promise<{ readonly answer: string; readonly seconds: number }> => {
    const answers: string[] = [];
    const begun = clock.now();
    const asked = (async () => answers.push(await ask(instanceId)))();
    await settled();
    while (answers.length === 0) {
      clock.advance(0.5);
      await settled();
    }
    await asked;
    const [answer = ''] = answers;
    return { answer, seconds: (clock.now() - begun) / 1000 };
  };
  return { clock, running, profiles, calls, errors, aws, launch, find, ask, askWaiting };
}

const idOf = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;
const [one, other] = [idOf(1), idOf(2)];

describe('the instances of a role', () => {
  it('are listed once for all nodes (aws-iam-authenticator#292: hundreds log in when an API server starts)', async () => {
    const { launch, find, calls } = createRole();
    const ids = Array.from({ length: 500 }, (_, number) => idOf(number));
    for (const id of ids) launch(id);
    const found = await Promise.all(ids.map((instanceId) => find({ instanceId, roleArn })));
    expect(found.map((instance) => instance?.privateDnsName)).toEqual(ids.map(nameOf));
    expect(calls).toEqual({ iam: 1, ec2: 1 });
  });

  it('are listed again after two minutes, and one that has ended is no longer admitted then (#67)', async () => {
    const { launch, running, ask, clock, calls } = createRole();
    launch(one);
    expect(await ask(one)).toBe(nameOf(one));
    running.clear();
    clock.advance(119);
    expect(await ask(one)).toBe(nameOf(one));
    expect(calls.ec2).toBe(1);
    clock.advance(1);
    expect(await ask(one)).toBe('no');
  });

  it.each(['refuses', 'denies', 'hangs'] as const)(
    'are known for ten minutes while EC2 %s, and no longer (vault#3942)',
    async (kind) => {
      const { launch, askWaiting, clock, aws, errors } = createRole();
      launch(one);
      await askWaiting(one);
      const readAt = clock.now();
      aws.ec2 = kind;
      while (clock.now() + 10_000 <= readAt + 600_000) {
        clock.advance(10);
        const { answer, seconds } = await askWaiting(one);
        expect(answer).toBe(nameOf(one));
        expect(seconds).toBeLessThanOrEqual(8);
      }
      expect(errors.length).toBeGreaterThan(5);
      clock.advance(10);
      expect((await askWaiting(one)).answer).toMatch(/^(?:Error|NoAnswerInTimeError)$/);
      aws.ec2 = 'answers';
      expect((await askWaiting(one)).answer).toBe(nameOf(one));
    },
  );

  it('are asked for less and less often while EC2 refuses (kubernetes#31858: all retry at once)', async () => {
    const { launch, ask, clock, aws, calls } = createRole();
    launch(one);
    await ask(one);
    aws.ec2 = 'refuses';
    clock.advance(120);
    calls.ec2 = 0;
    for (let second = 0; second < 120; second += 1) {
      expect(await ask(one)).toBe(nameOf(one));
      clock.advance(1);
    }
    // After 5, 10, 20, 40 and 60 s.
    expect(calls.ec2).toBe(5);
  });

  it('are waited for by an environment that has no list yet, which EC2 refuses three times', async () => {
    const { launch, askWaiting, aws, calls, clock } = createRole();
    launch(one);
    aws.ec2 = 'refuses';
    const asked = askWaiting(one);
    clock.after(5000, () => {
      aws.ec2 = 'answers';
    });
    expect((await asked).answer).toBe(nameOf(one));
    expect(calls.ec2).toBe(4);
  });

  it('are not waited for longer than 17 seconds, and never guessed', async () => {
    const { askWaiting, aws, calls } = createRole({ chance: 1 });
    aws.ec2 = 'refuses';
    const { answer, seconds } = await askWaiting(one);
    expect([answer, calls.ec2]).toEqual(['Error', 5]);
    expect(seconds).toBeLessThanOrEqual(17);
  });

  it('have a name some seconds after their launch: one without is looked for again (karpenter#6659)', async () => {
    const { launch, running, ask, clock } = createRole();
    running.set(one, undefined);
    expect(await ask(one)).toBe('no');
    launch(one);
    clock.advance(4);
    expect(await ask(one)).toBe('no');
    clock.advance(2);
    expect(await ask(one)).toBe(nameOf(one));
  });
});

describe('an instance that is not in the kept list', () => {
  it('is found if it launched since, by one more call', async () => {
    const { launch, ask, clock, calls } = createRole();
    launch(one);
    await ask(one);
    clock.advance(20);
    launch(other);
    expect(await ask(other)).toBe(nameOf(other));
    expect(calls).toEqual({ iam: 1, ec2: 2 });
  });

  it('is found a few seconds later if EC2 does not show it yet, and stops no other (aws-plugin-for-slurm#16)', async () => {
    const { launch, ask, clock } = createRole();
    launch(one);
    await ask(one);
    clock.advance(20);
    expect([await ask(other), await ask(one)]).toEqual(['no', nameOf(one)]);
    launch(other);
    clock.advance(6);
    expect(await ask(other)).toBe(nameOf(other));
  });

  it('is found if it has a new profile of the role', async () => {
    const { launch, ask, clock, profiles } = createRole();
    profiles.length = 0;
    expect(await ask(one)).toBe('no');
    profiles.push(profileArn);
    launch(one);
    clock.advance(31);
    expect(await ask(one)).toBe(nameOf(one));
  });

  it('costs at most one call in five seconds, however many ask with other names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 3, max: 1000 })), {
          maxLength: 100,
        }),
        async (reviews) => {
          const { launch, ask, clock, calls } = createRole();
          launch(one);
          await ask(one);
          const begun = clock.now();
          for (const [milliseconds, number] of reviews) {
            clock.advance(milliseconds / 1000);
            expect(await ask(idOf(number))).toBe('no');
          }
          const seconds = (clock.now() - begun) / 1000;
          expect(calls.ec2).toBeLessThanOrEqual(1 + seconds / 5);
          expect(calls.iam).toBeLessThanOrEqual(1 + seconds / 30);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is neither admitted nor refused if EC2 refuses a newer list: the API server would keep a refusal', async () => {
    const { launch, ask, clock, aws } = createRole();
    launch(one);
    await ask(one);
    clock.advance(20);
    launch(other);
    aws.ec2 = 'refuses';
    expect([await ask(other), await ask(one)]).toEqual(['StaleInstancesError', nameOf(one)]);
    aws.ec2 = 'answers';
    clock.advance(10);
    expect(await ask(other)).toBe(nameOf(other));
  });

  it('of a role without a profile costs IAM one call in two minutes (kube2iam#200)', async () => {
    const { profiles, ask, calls, clock } = createRole();
    profiles.length = 0;
    for (let number = 0; number < 4; number += 1) {
      expect(await ask(one)).toBe('no');
      clock.advance(1);
    }
    expect(calls).toEqual({ iam: 1, ec2: 0 });
  });
});

describe('the profiles of a role', () => {
  it('are known for ten minutes while IAM refuses', async () => {
    const { launch, askWaiting, clock, aws, calls } = createRole();
    launch(one);
    await askWaiting(one);
    aws.iam = 'refuses';
    clock.advance(590);
    launch(other);
    expect((await askWaiting(other)).answer).toBe(nameOf(other));
    expect(calls.ec2).toBe(2);
    clock.advance(130);
    expect((await askWaiting(one)).answer).toBe(nameOf(one));
    clock.advance(600);
    expect((await askWaiting(one)).answer).toBe('Error');
  });
});

it('an instance is never admitted that has ended more than ten minutes ago, whatever AWS answers', async () => {
  const step = fc.tuple(
    fc.integer({ min: 0, max: 200 }),
    fc.constantFrom('answers' as const, 'refuses' as const, 'denies' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { launch, running, askWaiting, clock, aws } = createRole();
      launch(one);
      expect((await askWaiting(one)).answer).toBe(nameOf(one));
      const endedAt = clock.now();
      running.clear();
      for (const [seconds, kind] of steps) {
        aws.ec2 = kind;
        clock.advance(seconds);
        const askedAt = clock.now();
        const { answer } = await askWaiting(one);
        if (answer === nameOf(one)) expect(askedAt - endedAt).toBeLessThanOrEqual(600_000);
        else expect(['no', 'Error', 'StaleInstancesError']).toContain(answer);
      }
    }),
    { numRuns: 50 },
  );
});
