import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOneAtATime, evictPods } from '../../../shared/draining/evict-pods.ts';
import type { DrainAction } from '../../../shared/draining/plan-drain.ts';
import type { EvictionAnswer, PodIdentity } from '../../../shared/nodes/cluster.ts';

const action = (kind: 'evict' | 'delete', name: string, gracePeriodSeconds?: number): DrainAction => ({
  kind,
  pod: { namespace: 'shop', name, uid: `uid-of-${name}` },
  workload: name,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
});

/** A cluster with given answers, which remembers its calls and how much of it at once. */
function cluster(
  answer: (name: string) => EvictionAnswer = () => ({ kind: 'evicted' }),
  mark: (name: string) => Promise<void> = async () => undefined,
) {
  const calls: string[] = [];
  const marked: string[] = [];
  let open = 0;
  let most = 0;
  const call = async (text: string): Promise<void> => {
    calls.push(text);
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
  };
  return {
    calls,
    marked,
    most: () => most,
    evictPod: async ({ name }: PodIdentity, options?: { gracePeriodSeconds?: number }) => {
      await call(`evict ${name} ${options?.gracePeriodSeconds ?? '-'}`);
      return answer(name);
    },
    markDisrupted: async ({ name }: PodIdentity) => {
      marked.push(name);
      await mark(name);
    },
    deletePod: async ({ name }: PodIdentity, { gracePeriodSeconds }: { gracePeriodSeconds?: number }) => {
      await call(`delete ${name} ${gracePeriodSeconds ?? '-'}`);
      return 'deleted' as const;
    },
  };
}

describe('the execution of a plan', () => {
  it('sends deletions first, with their grace, and returns results by UID', async () => {
    const api = cluster();
    const answers = await evictPods(
      [action('evict', 'a'), action('delete', 'b', 4), action('evict', 'c', 3)],
      api,
    );
    expect(api.calls.toSorted()).toEqual(['delete b 4', 'evict a -', 'evict c 3']);
    expect(api.marked).toEqual(['b']);
    expect(answers.get('uid-of-a')).toEqual({ kind: 'evicted' });
    expect(answers.get('uid-of-b')).toEqual({ kind: 'deleted' });
  });

  it('sends five at a time at most', async () => {
    const api = cluster();
    await evictPods(
      Array.from({ length: 40 }, (_, index) => action('evict', `p${index}`)),
      api,
    );
    expect(api.calls).toHaveLength(40);
    expect(api.most()).toBe(5);
  });

  it('sends no more evictions once the API server throttles, and reports each as throttled', async () => {
    const api = cluster(() => ({ kind: 'throttled', message: 'too many requests' }));
    const told: string[] = [];
    const answers = await evictPods(
      Array.from({ length: 40 }, (_, index) => action('evict', `p${index}`)),
      api,
      { onAnswer: ({ pod }, { kind }) => told.push(`${pod.name} ${kind}`) },
    );
    expect(api.calls).toHaveLength(5);
    expect(answers.get('uid-of-p39')).toEqual({ kind: 'postponed', message: 'too many requests' });
    expect(told).toHaveLength(40);
  });

  it('takes one throttled eviction for an answer about its pod, unless the API server says that it is its own', async () => {
    const actions = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => action('evict', name));
    const answering = (parts: object) =>
      cluster((name) =>
        name === 'a' ? { kind: 'throttled', message: 'conflict', ...parts } : { kind: 'evicted' },
      );
    const about = answering({});
    await evictPods(actions, about);
    expect(about.calls).toHaveLength(7);
    const servers = answering({ isServers: true });
    const answers = await evictPods(actions, servers);
    expect(servers.calls).toHaveLength(5);
    expect(answers.get('uid-of-g')).toEqual({ kind: 'postponed', message: 'conflict' });
  });

  const anyAnswer = fc.constantFrom<
    EvictionAnswer | { readonly kind: 'no-answer'; readonly message: string }
  >(
    { kind: 'evicted' },
    { kind: 'gone' },
    { kind: 'held', message: 'budget' },
    { kind: 'refused', statusCode: 403, message: 'webhook' },
    { kind: 'refused', statusCode: 500, message: 'webhook' },
    { kind: 'several-budgets', message: 'two' },
    { kind: 'throttled', message: 'conflict' },
    { kind: 'no-answer', message: 'hangs' },
  );

  it('asks for each pod in one round, unless two throttled or two unanswered calls show that it is the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAnswer, { maxLength: 30 }), fc.nat(), async (given, startAt) => {
        const api = {
          ...cluster(),
          evictPod: async ({ name }: PodIdentity) => {
            const answer = given[Number(name)] ?? { kind: 'evicted' as const };
            if (answer.kind === 'no-answer') throw new Error(answer.message);
            return answer;
          },
        };
        const actions = given.map((_, index) => action('evict', String(index)));
        const answerOf = (error: unknown) => ({ kind: 'no-answer' as const, message: String(error) });
        const answers = await evictPods(actions, api, { startAt, answerOf });
        const count = (kind: string) => given.filter((answer) => answer.kind === kind).length;
        const postponed = [...answers.values()].filter(({ kind }) => kind === 'postponed').length;
        expect(answers.size).toBe(given.length);
        if (count('throttled') < 2 && count('no-answer') < 2) expect(postponed).toBe(0);
      }),
    );
  });

  it('takes ready and unready pods of one workload for one, whose throttled evictions are not the answer of the API server', async () => {
    const throttled: EvictionAnswer = { kind: 'throttled', message: 'slow down' };
    const api = cluster((name) => (name.startsWith('web') ? throttled : { kind: 'evicted' }));
    const web = (name: string, workload: string) => ({ ...action('evict', name), workload });
    const others = Array.from({ length: 12 }, (_, index) => action('evict', `other-${index}`));
    await evictPods([web('web-1', 'uid-1'), web('web-2', 'uid-1/unready'), ...others], api);
    expect(api.calls).toHaveLength(14);
  });

  it('goes on past calls that hang if others have an answer, up to six of them', async () => {
    const answerOf = (error: unknown) => ({ kind: 'no-answer' as const, message: String(error) });
    const round = async (hanging: number) => {
      const api = cluster((name) => {
        if (Number(name) <= hanging && name !== '0') throw new Error('hangs');
        return { kind: 'evicted' };
      });
      const actions = Array.from({ length: 30 }, (_, index) => action('evict', String(index)));
      const answers = await evictPods(actions, api, { answerOf });
      return [...answers.values()].filter(({ kind }) => kind === 'postponed').length;
    };
    expect(await round(6)).toBe(0);
    expect(await round(20)).toBeGreaterThan(10);
  });

  it('asks for no other pod of a workload once a call for one hangs, because each would take its time', async () => {
    const answerOf = (error: unknown) => ({ kind: 'no-answer' as const, message: String(error) });
    const api = cluster((name) => {
      if (name === 'web-1') throw new Error('hangs');
      return { kind: 'evicted' };
    });
    const web = ['web-1', 'web-2', 'web-3'].map((name) => ({ ...action('evict', name), workload: 'web' }));
    const answers = await evictPods([...web, action('evict', 'other')], api, { answerOf });
    expect([...answers].map(([uid, { kind }]) => `${uid} ${kind}`).toSorted()).toEqual([
      'uid-of-other evicted',
      'uid-of-web-1 no-answer',
      'uid-of-web-2 postponed',
      'uid-of-web-3 postponed',
    ]);
  });

  it('asks for no more if no call has an answer, although the rest of their workloads is postponed', async () => {
    const answerOf = (error: unknown) => ({ kind: 'no-answer' as const, message: String(error) });
    const api = cluster(() => {
      throw new Error('hangs');
    });
    const actions = Array.from({ length: 30 }, (_, index) => ({
      ...action('evict', `pod-${index}`),
      workload: `workload-${Math.floor(index / 2)}`,
    }));
    const answers = await evictPods(actions, api, { answerOf });
    expect(api.calls).toHaveLength(5);
    expect(answers.size).toBe(30);
  });

  it('deletes pods at their deadline although two others hang, if any call has an answer', async () => {
    const answerOf = (error: unknown) => ({ kind: 'no-answer' as const, message: String(error) });
    const api = cluster();
    const deletePod = async (pod: PodIdentity, options: { gracePeriodSeconds?: number }) => {
      // The answer of a call that hangs comes after those of the others.
      if (['b', 'c'].includes(pod.name)) {
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('hangs');
      }
      return await api.deletePod(pod, options);
    };
    const actions = 'abcdefghij'.split('').map((name) => action('delete', name, 1));
    await evictPods(actions, { ...api, deletePod }, { answerOf });
    expect(api.calls).toHaveLength(8);
  });

  it('begins elsewhere in each round', async () => {
    const actions = ['a', 'b', 'c'].map((name) => action('evict', name));
    const begins = async (startAt: number) => {
      const api = cluster();
      await evictPods(actions, api, { startAt });
      return api.calls.map((call) => call.split(' ')[1]).join('');
    };
    expect(await Promise.all([0, 1, 2, 3].map(begins))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('evicts the pods of a workload one by one, and stops once the budget holds one', async () => {
    const api = cluster((name) =>
      name === 'web-2' ? { kind: 'held', message: 'the budget web' } : { kind: 'evicted' },
    );
    const web = Array.from({ length: 6 }, (_, index) => ({
      ...action('evict', `web-${index}`),
      workload: 'web',
    }));
    const answers = await evictPods([...web, action('evict', 'other')], api);
    expect(api.calls.toSorted()).toEqual([
      'evict other -',
      'evict web-0 -',
      'evict web-1 -',
      'evict web-2 -',
    ]);
    expect(answers.get('uid-of-web-5')).toEqual({ kind: 'held', message: 'the budget web' });
    expect(answers.get('uid-of-other')?.kind).toBe('evicted');
  });

  it('deletes a pod past its deadline even if a budget holds the rest of its workload', async () => {
    const api = cluster(() => ({ kind: 'held', message: 'the budget web' }));
    const web = [action('evict', 'a'), action('evict', 'b'), action('delete', 'c', 3)];
    await evictPods(
      web.map((one) => ({ ...one, workload: 'web' })),
      api,
    );
    expect(api.calls).toEqual(['delete c 3', 'evict a -']);
  });

  it('continues with the others when one is refused', async () => {
    const api = cluster((name) =>
      name === 'a' ? { kind: 'refused', statusCode: 500, message: 'webhook' } : { kind: 'evicted' },
    );
    const answers = await evictPods([action('evict', 'a'), action('evict', 'b')], api);
    expect(answers.get('uid-of-b')?.kind).toBe('evicted');
  });

  it('rejects when the API server does not answer', async () => {
    const api = cluster(() => {
      throw new Error('no answer');
    });
    await expect(evictPods([action('evict', 'a')], api)).rejects.toThrow('no answer');
  });

  it('rejects only after all pending requests have ended', async () => {
    const api = cluster((name) => {
      if (name === 'a') throw new Error('no answer');
      return { kind: 'evicted' };
    });
    const actions = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => action('evict', name));
    await expect(evictPods(actions, api)).rejects.toThrow('no answer');
    expect(api.calls).toHaveLength(8);
  });
});

describe('a deletion at the deadline', () => {
  const failure = (kind: string, statusCode = 0) =>
    Object.assign(new Error(`it is ${kind}`), { kind, statusCode });
  /** Pods of one workload are deleted one after another. */
  const deletions = ['a', 'b', 'c'].map((name) => ({ ...action('delete', name, 9), workload: 'web' }));

  it('is sent after the condition is set, and an eviction sets its own', async () => {
    const api = cluster(undefined, async (name) => void api.calls.push(`mark ${name}`));
    await evictPods([action('delete', 'a', 9), { ...action('evict', 'b'), workload: 'a' }], api);
    expect(api.calls).toEqual(['mark a', 'delete a 9', 'evict b -']);
  });

  it('sets no condition if the pod is terminating already, because something else is the cause', async () => {
    const api = cluster();
    await evictPods([{ ...action('delete', 'a', 9), isTerminating: true }], api);
    expect([api.calls, api.marked]).toEqual([['delete a 9'], []]);
  });

  it.each([
    ['forbidden', 403],
    ['unexpected', 500],
    ['throttled', 429],
    ['unreachable', undefined],
  ])(
    'is sent without the condition, and no other pod asks for it, if the answer is %s',
    async (kind, code) => {
      const api = cluster(undefined, () => Promise.reject(failure(kind, code)));
      const answers = await evictPods(deletions, api);
      expect(api.calls).toEqual(['delete a 9', 'delete b 9', 'delete c 9']);
      expect(api.marked).toEqual(['a']);
      expect([...answers.values()]).toEqual(
        deletions.map(() => ({ kind: 'deleted', unmarked: `it is ${kind}` })),
      );
    },
  );

  it.each([
    ['not-found', 404],
    ['conflict', 409],
    ['unexpected', 422],
  ])(
    'is sent without the condition, and the other pods have it, if the answer is %s, which is about one pod',
    async (kind, code) => {
      const api = cluster(undefined, (name) =>
        name === 'a' ? Promise.reject(failure(kind, code)) : Promise.resolve(),
      );
      const answers = await evictPods(deletions, api);
      expect(api.marked).toEqual(['a', 'b', 'c']);
      expect([...answers.values()]).toEqual([
        { kind: 'deleted', unmarked: `it is ${kind}` },
        { kind: 'deleted' },
        { kind: 'deleted' },
      ]);
    },
  );

  it('of a pod that is gone needs no condition', async () => {
    const api = {
      ...cluster(undefined, () => Promise.reject(failure('not-found', 404))),
      deletePod: async () => 'gone' as const,
    };
    const answers = await evictPods([action('delete', 'a', 9)], api);
    expect(answers.get('uid-of-a')).toEqual({ kind: 'gone' });
  });
});

it('a failure ends an execution only when the slowest request of another workload has ended', async () => {
  let hasEnded = false;
  const api = {
    ...cluster(),
    evictPod: async ({ name }: PodIdentity): Promise<EvictionAnswer> => {
      if (name === 'fails') throw new Error('no answer');
      await new Promise((resolve) => setTimeout(resolve, 5));
      hasEnded = true;
      return { kind: 'evicted' };
    },
  };
  await expect(evictPods([action('evict', 'fails'), action('evict', 'slow')], api)).rejects.toThrow(
    'no answer',
  );
  expect(hasEnded).toBe(true);
});

/** Work that ends on request. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    },
    end: async (name: string) => {
      ends.get(name)?.resolve(name);
      await new Promise(setImmediate);
    },
    fail: async (name: string) => {
      ends.get(name)?.reject(new Error(`${name} has failed`));
      await new Promise(setImmediate);
    },
  };
}

describe('taking turns', () => {
  it('starts the work of a key when the work before it has ended, and returns each its own result', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end } = works();
    const all = Promise.all(['a', 'b', 'c'].map((name) => oneAtATime('web', work(name))));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('c');
    expect(await all).toEqual(['a', 'b', 'c']);
  });

  it('starts work that is added later behind the work that still runs', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end } = works();
    const first = [oneAtATime('web', work('a')), oneAtATime('web', work('b'))];
    await new Promise(setImmediate);
    await end('a');
    const last = oneAtATime('web', work('c'));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('c');
    expect(await Promise.all([...first, last])).toEqual(['a', 'b', 'c']);
  });

  it('does not delay other keys', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end } = works();
    const all = Promise.all([oneAtATime('web', work('a')), oneAtATime('db', work('b'))]);
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    await end('b');
    await all;
  });

  it('fails work that waits behind a failure, and none that comes later', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end, fail } = works();
    const waiting = Promise.allSettled([oneAtATime('web', work('a')), oneAtATime('web', work('b'))]);
    await new Promise(setImmediate);
    await fail('a');
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = oneAtATime('web', work('c'));
    await new Promise(setImmediate);
    await end('c');
    expect(await later).toBe('c');
    expect(begun).toEqual(['a', 'c']);
  });
});
