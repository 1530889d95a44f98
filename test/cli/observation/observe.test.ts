import { expect, it } from 'vitest';
import { createObserver } from '../../../cli/observation/observe.ts';
import type { ProblemSources } from '../../../cli/observation/sources.ts';
import type { JudgedRequest } from '../../../shared/problems/certificate-problems.ts';

const request: JudgedRequest = {
  name: 'stolen',
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  nodeName: 'ip-10-0-0-5',
  createdAt: 0,
  verdict: 'conflict',
  reason: 'two keys ask',
};

function setUp() {
  const state = { now: 1_000_000, isAway: false, requestsRead: 0 };
  const nothing = () => Promise.resolve([]);
  const sources: ProblemSources = {
    readLaunches: () => Promise.resolve({ joinTimeoutSeconds: 720, launchedAt: new Map() }),
    readRequests: () => {
      state.requestsRead += 1;
      return Promise.resolve([request]);
    },
    readDeadLetters: nothing,
    readQueues: nothing,
    readCapacity: () => Promise.resolve({ holds: new Map(), schedules: [], maxSizeLimit: 100 }),
    readScheduledActions: nothing,
    readCredentials: nothing,
    readAlarms: nothing,
    readApprovals: () => Promise.reject(new Error('is not asked without a Node')),
  };
  const observe = createObserver({
    access: () => {
      throw new Error('no region');
    },
    cluster: {
      listNodes: () => (state.isAway ? Promise.reject(new Error('connection refused')) : Promise.resolve([])),
    },
    sources,
    clock: { now: () => state.now, after: () => ({ cancel: () => undefined }) },
  });
  return { state, observe };
}

it('keeps the requests, as old as they are, while the Nodes cannot be listed, and asks for no others', async () => {
  const { state, observe } = setUp();
  expect((await observe()).requests).toEqual({ kind: 'known', value: [request] });
  const at = state.now;
  Object.assign(state, { now: at + 20_000, isAway: true });
  const { requests } = await observe();
  expect(requests).toEqual({ kind: 'stale', value: [request], at, reason: 'connection refused' });
  expect(state.requestsRead).toBe(1);
  Object.assign(state, { now: at + 40_000, isAway: false });
  expect((await observe()).requests).toMatchObject({ kind: 'known' });
});

it('knows no requests if the Nodes could never be listed', async () => {
  const { state, observe } = setUp();
  state.isAway = true;
  expect((await observe()).requests).toEqual({ kind: 'unknown', reason: 'connection refused' });
  expect(state.requestsRead).toBe(0);
});
