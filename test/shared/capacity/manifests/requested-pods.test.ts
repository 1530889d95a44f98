import { describe, expect, it } from 'vitest';
import {
  problemsInRequest,
  requestedPods,
  type SizedRequest,
} from '../../../../shared/capacity/manifests/requested-pods.ts';
import { requestsOfPod } from '../../../../shared/capacity/plan/requests.ts';

const request: SizedRequest = { pods: 40, cpu: '500m', memory: '1Gi' };

describe('pods that are requested by number and size', () => {
  it('are that many of that size', () => {
    const { pods, selector } = requestedPods({ ...request, gpu: 1, namespace: 'shop' });
    expect([pods.length, selector, pods[0]?.metadata?.namespace]).toEqual([40, undefined, 'shop']);
    expect(new Set(pods.map(({ metadata }) => metadata?.name)).size).toBe(40);
    expect(pods[0] && [...requestsOfPod(pods[0])]).toEqual([
      ['nvidia.com/gpu', 1],
      ['cpu', 500],
      ['memory', 1024 ** 3],
    ]);
  });

  it('request no GPU if none is asked for', () => {
    const [pod] = requestedPods(request).pods;
    expect(pod && [...requestsOfPod(pod).keys()]).toEqual(['cpu', 'memory']);
    expect(problemsInRequest(request)).toEqual([]);
  });

  it.each([
    [{ pods: 0 }, 'pods', 'must be a whole number from 1 to 100000'],
    [{ pods: 1.5 }, 'pods', 'must be a whole number from 1 to 100000'],
    [{ pods: 100_001 }, 'pods', 'must be a whole number from 1 to 100000'],
    [{ cpu: '1x' }, 'cpu', '"1x" is not a quantity; write for example 500m, 2, 1.5Gi or 1e3'],
    [{ cpu: '-1' }, 'cpu', 'must not be negative'],
    [{ cpu: '0' }, 'cpu', 'must be more than 0'],
    [{ memory: '512m' }, 'memory', '512m is less than 1Ki: did you mean 512Mi?'],
    [{ memory: '512' }, 'memory', '512 is less than 1Ki: did you mean 512Mi?'],
    [{ gpu: 0.5 }, 'gpu', 'must be a whole number'],
    [{ gpu: -1 }, 'gpu', 'must be a whole number'],
  ])('with %j are refused', (settings, option, message) => {
    expect(problemsInRequest({ ...request, ...settings })).toEqual([{ option, message }]);
  });
});
