import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { callScaleApi } from '../../local/world/scale-api-call.ts';

const schedule = {
  autoScalingGroupName: 'workers',
  nodes: 3,
  expression: 'cron(0 12 * * ? *)',
  durationSeconds: 3600,
  lead: 600,
};

/** A group, and a schedule and a hold of it; then AWS refuses one operation of the scale API. */
async function refusing(operation: string, code: string) {
  let isStruck = false;
  const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
    isStruck && caller === 'scale-api' && what.endsWith(` ${operation}`)
      ? { kind: 'aws-error', error: new AwsError({ code, message: 'arn:aws:iam::123456789012:role/secret' }) }
      : undefined;
  const world = createDroverWorld({ weather: { strike } });
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  const hold = { nodes: 2, until: new Date(world.clock.now() + 3_600_000).toISOString() };
  await callScaleApi(world, 'PUT', '/schedules/noon', schedule);
  await callScaleApi(world, 'PUT', '/groups/workers/holds/sale', hold);
  isStruck = true;
  return {
    hold,
    call: async (method: string, target: string, body?: object) => {
      const { statusCode, headers, body: text } = await callScaleApi(world, method, target, body);
      return { status: statusCode, retryAfter: headers['retry-after'], problem: JSON.parse(text) };
    },
  };
}

const later = { until: '2026-01-05T20:00:00Z' };
const pause = { paused: true };
const onHold = '/groups/workers/holds/sale';
const anotherHold = '/groups/workers/holds/other';

/** `METHOD PATH`, its body, and the status and a part of the reason of its answer. */
const cases = [
  ['PutParameter: TooManyUpdates', `PATCH ${onHold}`, later, '503 ask again later'],
  ['PutParameter: ParameterLimitExceeded', `PUT ${anotherHold}`, 'hold', '503 delete some'],
  ['UpdateSchedule: ConflictException', 'PATCH /schedules/noon', pause, '503 ask again'],
  ['DeleteSchedule: ConflictException', 'DELETE /schedules/noon', undefined, '503 ask again'],
  ['UpdateSchedule: ResourceNotFoundException', 'PATCH /schedules/noon', pause, '404 no schedule'],
  [
    'ListSchedules: ResourceNotFoundException',
    'GET /schedules',
    undefined,
    '500 schedule group drover-drover',
  ],
  [
    'GetScheduleGroup: ResourceNotFoundException',
    'PUT /schedules/other',
    schedule,
    '500 deploy this version',
  ],
] as const;

it.each(cases)(
  'a change that AWS refuses is answered with what to do: %s',
  async (refusal, request, body, answered) => {
    const [operation = '', code = ''] = refusal.split(': ');
    const [method = '', target = ''] = request.split(' ');
    const { call, hold } = await refusing(operation, code);
    const answer = await call(method, target, body === 'hold' ? hold : body);
    const [, status, words] = /^(\d+) (.*)$/.exec(answered) ?? [];
    expect(answer.problem.detail).toContain(words);
    expect(answer.status).toBe(Number(status));
    expect(JSON.stringify(answer)).not.toContain('secret');
  },
);
