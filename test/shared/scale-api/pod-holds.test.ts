import { beforeEach, describe, expect, it } from 'vitest';
import { web } from '../capacity/pod-holds/fixtures.ts';
import { createScaleApiWorld } from './scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;

beforeEach(() => {
  world = createScaleApiWorld();
});

const { template, selector } = web();
const image = { name: 'web', image: 'web:1', env: [{ name: 'A', value: 'b' }] };
const pods = {
  namespace: 'shop',
  total: 40,
  selector,
  template: {
    ...template,
    spec: { restartPolicy: 'Always', containers: [{ ...template.spec.containers[0], ...image }] },
  },
};

const put = (body: object) =>
  world.send('PUT', '/groups/workers/holds/sale', {
    body: JSON.stringify({ durationSeconds: 7200, ...body }),
  });

describe('a hold for pods over the scale API', () => {
  it('keeps the request with only what a plan reads, and answers with it', async () => {
    const kept = {
      namespace: 'shop',
      total: 40,
      selector,
      template: {
        labels: { app: 'web' },
        spec: { containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] },
      },
    };
    expect(await put({ pods })).toMatchObject({
      status: 201,
      body: { change: 'created', nodes: 0, pods: kept },
    });
    expect(await put({ pods })).toMatchObject({ status: 200, body: { change: 'unchanged' } });
    const { status, body } = await world.send('GET', '/groups/workers/holds/sale');
    expect(status).toBe(200);
    expect(body).toMatchObject({ pods: kept, state: 'unknown', reason: expect.stringContaining('prewarm') });
    expect(body).not.toHaveProperty('found');
  });

  it('names the pods of a hold that has the name already', async () => {
    await put({ pods });
    expect(await put({ pods: { ...pods, total: 41 } })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already keeps 40 pods with app=web in shop until') },
    });
  });

  it('shows headroom as such', async () => {
    const { selector: _, ...rest } = pods;
    expect(await put({ pods: { ...rest, headroom: true } })).toMatchObject({
      status: 201,
      body: { pods: { headroom: true } },
    });
  });

  it.each([
    ['both nodes and pods', { nodes: 3, pods }],
    ['neither', {}],
    ['a field of the request that is unknown', { pods: { ...pods, totl: 3 } }],
    ['neither selector nor headroom', { pods: { ...pods, selector: undefined } }],
    [
      'a selector that does not select the pods',
      { pods: { ...pods, selector: { matchLabels: { app: 'db' } } } },
    ],
    ['no pods', { pods: { ...pods, total: 0 } }],
    ['a manifest instead of a request', { pods: { apiVersion: 'v1', kind: 'Pod' } }],
  ])('is refused with %s', async (_, body) => {
    expect(await put(body)).toMatchObject({
      status: 422,
      body: { type: expect.stringMatching(/invalid-body$/) },
    });
    expect((await world.send('GET', '/groups/workers/holds')).body).toMatchObject({ holds: [] });
  });

  it('is refused if it has no place in a parameter, and before it is parsed if it is huge', async () => {
    const tolerations = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `example.com/team-${index}-and-role` }));
    const long = (count: number) => ({
      pods: {
        ...pods,
        template: { ...template, spec: { ...template.spec, tolerations: tolerations(count) } },
      },
    });
    expect(await put(long(100))).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('a parameter has place for 4096') },
    });
    expect(await put(long(1000))).toMatchObject({ status: 413 });
  });
});
