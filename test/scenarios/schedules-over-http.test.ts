import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { serving } from '../../local/world/holds.ts';
import { callScaleApi } from '../../local/world/scale-api-call.ts';
import { scheduleList, schedule as scheduleSchema } from '../../shared/scale-api/schemas/answers/schedule.ts';

let world: DroverWorld;

const wish = {
  autoScalingGroupName: 'workers',
  nodes: 3,
  expression: 'cron(0 12 * * ? *)',
  durationSeconds: 3600,
  lead: 600,
  exceptions: ['2026-01-06'],
};

async function call(method: string, target: string, body?: object) {
  const { statusCode, body: text } = await callScaleApi(world, method, target, body);
  return { statusCode, body: text === '' ? {} : JSON.parse(text) };
}

const put = (body: object = wish, query = '') => call('PUT', `/schedules/noon${query}`, body);
const names = async () =>
  scheduleList.parse((await call('GET', '/schedules')).body).schedules.map(({ name }) => name);

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
});

describe('a schedule that is made over HTTP, as deployed', () => {
  it('shows its next times, and has its nodes Ready at them', async () => {
    const made = await put();
    expect(made.statusCode).toBe(201);
    expect(scheduleSchema.parse(made.body)).toMatchObject({
      name: 'noon',
      nodes: 3,
      timeZone: 'UTC',
      paused: false,
      by: 'arn:aws:iam::123456789012:user/pipeline',
      leadSeconds: 600,
      occurrences: [
        {
          kind: 'hold',
          localTime: '2026-01-05T12:00:00',
          madeAt: '2026-01-05T11:50:00.000Z',
          readyAt: '2026-01-05T12:00:00.000Z',
          until: '2026-01-05T13:00:00.000Z',
        },
        { kind: 'exception', localTime: '2026-01-06T12:00:00' },
        { kind: 'hold' },
        { kind: 'hold' },
        { kind: 'hold' },
      ],
    });
    await world.timeline.pass((Date.parse('2026-01-05T12:00:00Z') - world.clock.now()) / 1000);
    expect(serving(world)).toBe(3);
    expect(world.problems).toEqual([]);
  });

  it('is unchanged if the request is repeated, and a conflict if the request differs', async () => {
    const made = await put();
    expect(await put()).toEqual({ statusCode: 200, body: { ...made.body, change: 'unchanged' } });
    expect(await put({ ...wish, nodes: 4 })).toMatchObject({
      statusCode: 409,
      body: { type: 'https://drover.dev/problems/schedule-taken' },
    });
    expect(await put({ ...wish, nodes: 4 }, '?dryRun=true')).toMatchObject({ statusCode: 409 });
  });

  it('is made once by concurrent callers', async () => {
    const statuses = (await Promise.all([put(), put(), put()])).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  it('is not made in a dry run', async () => {
    expect((await put(wish, '?dryRun=true')).statusCode).toBe(200);
    expect(await names()).toEqual([]);
  });

  it('makes no holds while it is paused', async () => {
    await put();
    expect(await call('PATCH', '/schedules/noon', { paused: true })).toMatchObject({
      statusCode: 200,
      body: { paused: true },
    });
    expect((await call('GET', '/schedules')).body).toMatchObject({ schedules: [{ state: 'paused' }] });
    await world.timeline.pass((Date.parse('2026-01-05T12:00:00Z') - world.clock.now()) / 1000);
    expect(serving(world)).toBe(1);
    expect(await call('PATCH', '/schedules/noon', { paused: false })).toMatchObject({
      body: { paused: false },
    });
    expect((await call('GET', '/schedules')).body).toMatchObject({
      schedules: [{ state: 'active', next: '2026-01-07T12:00:00.000Z' }],
    });
  });

  it('is gone after DELETE', async () => {
    await put();
    expect(await call('DELETE', '/schedules/noon')).toEqual({ statusCode: 204, body: {} });
    expect(await names()).toEqual([]);
    for (const [method, body] of [['DELETE'], ['GET'], ['PATCH', { paused: true }]] as const)
      expect(await call(method, '/schedules/noon', body)).toMatchObject({
        statusCode: 404,
        body: { type: 'https://drover.dev/problems/schedule-not-found' },
      });
  });

  it.each([
    ['more than MaxSize', { nodes: 6 }, 422, 'invalid-schedule'],
    ['more than the limit of the deployment', { nodes: 101, raiseMaxSize: true }, 422, 'invalid-schedule'],
    ['a rate', { expression: 'rate(1 hour)' }, 422, 'invalid-schedule'],
    ['a zone that is none', { timeZone: 'Europe/Nowhere' }, 422, 'invalid-schedule'],
    ['a time that has passed', { expression: 'at(2020-01-01T00:00:00)' }, 422, 'invalid-schedule'],
    ['an unknown field', { node: 1 }, 422, 'invalid-body'],
    ['a foreign group', { autoScalingGroupName: 'other' }, 404, 'group-not-found'],
  ])('is refused with %s', async (_, part, statusCode, problem) => {
    expect(await put({ ...wish, ...part })).toMatchObject({
      statusCode,
      body: { type: `https://drover.dev/problems/${problem}` },
    });
    expect(await names()).toEqual([]);
  });

  it('of a name that Scheduler would refuse is refused, or not found', async () => {
    expect(await call('PUT', '/schedules/a%20b', wish)).toMatchObject({ statusCode: 422 });
    expect(await call('GET', '/schedules/a%20b')).toMatchObject({ statusCode: 404 });
  });
});
