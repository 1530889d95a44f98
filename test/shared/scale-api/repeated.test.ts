import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../shared/scale-api/routes.ts';
import { createScaleApiWorld } from './scale-api-world.ts';

const changing = Object.values(routes).filter(({ method }) => method !== 'GET');

describe.each(changing)('$method $path', ({ method, path, header }) => {
  const target = path
    .replace('{group}', 'workers')
    .replace('{instanceId}', 'i-0123456789abcdef0')
    .replaceAll(/\{\w+\}/g, 'sale');

  it('refuses Idempotency-Key in any spelling, and says what identifies the change instead', async () => {
    const names = fc
      .array(fc.boolean(), { minLength: 15, maxLength: 15 })
      .map((upper) => Array.from('idempotency-key', (c, at) => (upper[at] ? c.toUpperCase() : c)).join(''));
    await fc.assert(
      fc.asyncProperty(names, fc.string(), async (name, key) => {
        const answer = await createScaleApiWorld().send(method, target, {
          headers: { [name]: key },
          body: '{}',
        });
        expect(answer).toMatchObject({
          status: 400,
          body: {
            errors: [{ parameter: 'Idempotency-Key' }],
            detail: expect.stringContaining(header ? 'If-Match' : 'name in the path'),
          },
        });
      }),
      { numRuns: 10 },
    );
  });
});

describe('a hold that cannot be read', () => {
  const world = createScaleApiWorld();
  const put = (text: string) =>
    world.ssm.operations.PutParameter(
      { Name: '/drover/drover/holds/workers/odd', Value: text, Type: 'String' },
      {
        principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
        requestId: 'x',
      } as never,
    );
  const setTo = (desiredCapacity: number, query = '') =>
    world.send('PUT', `/groups/workers/capacity${query}`, { body: JSON.stringify({ desiredCapacity }) });

  it('forbids a smaller group, in a dry run as well, and no larger one', async () => {
    put('{"version":2,"nodes":2}');
    for (const query of ['', '?dryRun=true'])
      expect(await setTo(1, query)).toMatchObject({
        status: 409,
        body: {
          type: 'https://drover.dev/problems/held',
          detail: expect.stringContaining('the hold odd cannot be read'),
        },
      });
    expect(world.group().DesiredCapacity).toBe(2);
    expect(await setTo(3)).toMatchObject({ status: 202 });
    await world.send('DELETE', '/groups/workers/holds/odd');
    expect(await setTo(1)).toMatchObject({ status: 202 });
  });

  it('forbids to terminate an instance with a lower desired capacity', async () => {
    const other = createScaleApiWorld();
    const [instance] = other.group().Instances ?? [];
    other.ssm.operations.PutParameter(
      { Name: '/drover/drover/holds/workers/odd', Value: 'six', Type: 'String' } as never,
      {
        principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
        requestId: 'x',
      } as never,
    );
    expect(
      await other.send(
        'DELETE',
        `/instances/${instance?.InstanceId}?lowerDesiredCapacity=true&undrained=true`,
      ),
    ).toMatchObject({ status: 409, body: { type: 'https://drover.dev/problems/held' } });
  });
});
