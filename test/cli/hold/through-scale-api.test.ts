import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { holdParameters, putHold, serving } from '../../../local/world/holds.ts';
import { operatorOf } from '../operator.ts';
import { apiOperatorOf, neutral, scaleApiUrl } from '../through-scale-api.ts';

async function createWorld() {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  return world;
}

async function createApiWorld() {
  const world = await createWorld();
  return { world, ...apiOperatorOf(world) };
}

const lines = [
  'hold list',
  'hold create workers 3 --for 2h --name sale --dry-run',
  'hold create workers 3 --for 2h --name sale --dry-run --json',
  'hold create workers 3 --for 2h --name sale',
  'hold create workers 3 --for 2h --name sale',
  'hold create workers 3 --for 2h --name sale --json',
  'hold create workers 4 --for 2h --name sale',
  'hold create workers 9 --for 2h --name large',
  'hold create workers 3 --until 2020-01-01T00:00Z --name old',
  'hold list',
  'hold list workers --json',
  'hold list others',
  'hold extend workers sale --for 3h --dry-run',
  'hold extend workers sale --for 1h',
  'hold extend workers sale --until 2026-01-05T20:00:00Z --json',
  'hold extend workers other --for 1h',
  'hold create workers 3 --for 2h --name other --wait --timeout 10m',
  'hold end workers other --dry-run',
  'hold end workers other --json',
  'hold end workers other',
  'hold end workers sale',
  'hold create workers 0 --for 2h',
  'hold create workers 3',
];

describe('drover hold through the scale API', () => {
  it('prints what it prints directly, and ends with the same codes', async () => {
    const { drover } = await createApiWorld();
    const directly = operatorOf(await createWorld());
    for (const line of lines) {
      const [over, direct] = [await drover(`${line} --api`), await directly(line)];
      expect([line, over.code, neutral(over.out)]).toEqual([line, direct.code, neutral(direct.out)]);
      expect(over.err === '').toBe(direct.err === '');
    }
  });

  it('lists more holds than a page of the API has', async () => {
    const { drover, world } = await createApiWorld();
    for (let index = 0; index < 103; index += 1)
      putHold(world, { nodes: 1, minutes: 60, name: `hold-${index}` });
    const { out } = await drover('hold list --json --api');
    expect(new Set((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).size).toBe(103);
  });

  it('needs only the right to call the API, and its nodes are launched', async () => {
    const { drover, world } = await createApiWorld();
    expect(await drover(`hold create workers 3 --for 2h --wait --endpoint ${scaleApiUrl}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/met: 3 nodes are Ready\n$/),
    });
    expect(serving(world)).toBe(3);
  });

  it('continues to wait while the API does not respond, with one warning, and stops if it refuses', async () => {
    const { drover, machine } = await createApiWorld();
    const { sendHttp } = machine;
    let calls = 0;
    machine.sendHttp = (request) =>
      [3, 4].includes(++calls) ? Promise.reject(new Error('connect ECONNREFUSED')) : sendHttp(request);
    expect(await drover('hold create workers 3 --for 2h --wait --api')).toMatchObject({
      code: 0,
      err: 'warning: the scale API at sandbox.execute-api.eu-west-1.amazonaws.com does not answer GET /groups/workers/holds/ana (check --endpoint or DROVER_API_URL)\n',
    });
    machine.sendHttp = async (request) =>
      request.method === 'GET'
        ? { status: 403, headers: {}, body: '{"message":"Forbidden"}' }
        : sendHttp(request);
    expect(await drover('hold create workers 5 --for 2h --name more --wait --api')).toMatchObject({
      code: 1,
      err: expect.stringContaining('API Gateway refuses the request (403)'),
    });
  });

  it('stops if the hold is ended while the command waits', async () => {
    const { drover, world, machine } = await createApiWorld();
    const { sendHttp } = machine;
    let ended = false;
    machine.sendHttp = async (request) => {
      if (request.method === 'GET' && !ended) {
        ended = true;
        await operatorOf(world)('hold end workers sale');
      }
      return await sendHttp(request);
    };
    expect(await drover('hold create workers 3 --for 2h --name sale --wait --api')).toMatchObject({
      code: 1,
      err: 'drover: hold sale has ended before its nodes were Ready\n',
    });
    expect(holdParameters(world).filter((name) => name.endsWith('/sale'))).toEqual([]);
  });

  it('lists the other holds if one ends meanwhile or its reason cannot be read', async () => {
    const { drover, machine } = await createApiWorld();
    await drover('hold create workers 3 --for 2h --name sale --api');
    await drover('hold create workers 2 --for 2h --name other --api');
    const { sendHttp } = machine;
    const listed = async (status: number, problem: string) => {
      machine.sendHttp = async (request) =>
        request.url.endsWith('/holds/sale')
          ? {
              status,
              headers: {},
              body: JSON.stringify({ type: `x/${problem}`, title: 'no', detail: 'no', status }),
            }
          : await sendHttp(request);
      const { code, out, err } = await drover('hold list --api --json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return (JSON.parse(out) as readonly { readonly name: string }[]).map(({ name }) => name);
    };
    expect(await listed(404, 'hold-not-found')).toEqual(['other']);
    expect(await listed(503, 'aws-unavailable')).toEqual(['other', 'sale']);
  });

  it.each([
    ['hold list --api --cluster prod', 2, '--cluster: the scale API knows its own cluster'],
    ['hold list --endpoint https://api.example --kubeconfig x', 2, '--kubeconfig: the scale API knows'],
    ['hold list --profile ana', 2, '--profile: it is for the scale API: give --api or --endpoint too'],
    ['hold list --no-sign', 2, '--no-sign: it is for the scale API'],
    ['hold list --endpoint http://api.example', 2, 'must be an https URL'],
  ])('%s is a usage error', async (line, code, words) => {
    const { drover } = await createApiWorld();
    expect(await drover(line)).toMatchObject({ code, err: expect.stringContaining(words) });
  });

  it('is not called if only the environment has its address', async () => {
    const world = await createWorld();
    const drover = operatorOf(world, { environment: { DROVER_API_URL: 'https://api.example' } });
    expect(await drover('hold list')).toMatchObject({ code: 0, out: 'no holds\n' });
  });
});
