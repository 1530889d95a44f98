import { describe, expect, it } from 'vitest';
import { apiOperatorOf, neutral } from '../through-scale-api.ts';
import { createScheduleWorld, groupName, officeHours } from './support.ts';

const once = 'schedule create workers 3 --name once --at 2026-01-09T20:00:00 --for 2h'.split(' ');
const words = (line: string) => line.split(' ');

const lines: readonly (readonly string[])[] = [
  words('schedule list'),
  officeHours('--dry-run'),
  officeHours('--except', '2026-01-07'),
  officeHours('--except', '2026-01-07'),
  officeHours('--json'),
  officeHours('--replace', '--dry-run', '--json'),
  officeHours('--replace', '--json'),
  officeHours('--raise-max-size', '--replace'),
  once,
  words('schedule list'),
  words('schedule list --json'),
  words('schedule preview office-hours'),
  words('schedule preview office-hours --count 12 --json'),
  words('schedule preview other'),
  words('schedule pause office-hours --dry-run'),
  words('schedule pause office-hours'),
  words('schedule pause office-hours --json'),
  officeHours('--replace'),
  words('schedule resume office-hours --json'),
  words('schedule resume office-hours'),
  words('schedule resume other'),
  words('schedule delete once --dry-run'),
  words('schedule delete once'),
  words('schedule delete once'),
  words('schedule delete office-hours --json'),
  words('schedule create workers 99 --name x --at 2026-02-01T00:00:00 --for 1h'),
  words('schedule create others 1 --name x --at 2026-02-01T00:00:00 --for 1h'),
  words('schedule create workers 1 --name a_b --at 2026-02-01T00:00:00 --for 1h'),
  words('schedule create workers 1 --name x --for 1h'),
];

describe('drover schedule through the scale API', () => {
  it('prints what it prints directly, and ends with the same codes', async () => {
    const { drover } = apiOperatorOf((await createScheduleWorld()).world);
    const { drover: directly } = await createScheduleWorld();
    for (const line of lines) {
      const [over, direct] = [await drover([...line, '--api']), await directly(line)];
      expect([line, over.code, neutral(over.out)]).toEqual([line, direct.code, neutral(direct.out)]);
      expect(over.err === '').toBe(direct.err === '');
    }
  });

  it('shows and deletes a schedule that cannot be read', async () => {
    const { world, operations } = await createScheduleWorld();
    const { drover } = apiOperatorOf(world);
    await drover([...officeHours(), '--api']);
    const { Target, ...schedule } = operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' });
    operations.UpdateSchedule({
      Name: schedule.Name,
      GroupName: groupName,
      ScheduleExpression: schedule.ScheduleExpression,
      FlexibleTimeWindow: schedule.FlexibleTimeWindow,
      Target: { Arn: Target?.Arn, RoleArn: Target?.RoleArn, Input: '{}' },
    });
    expect((await drover('schedule list --api')).out).toContain('office-hours makes no holds: the input');
    expect(await drover('schedule delete office-hours --api')).toEqual({
      code: 0,
      out: 'deleted schedule office-hours\n',
      err: '',
    });
  });

  it('keeps the pause of a schedule that it replaces', async () => {
    const { world, operations } = await createScheduleWorld();
    const { drover } = apiOperatorOf(world);
    await drover([...officeHours(), '--api']);
    await drover('schedule pause office-hours --api');
    expect((await drover([...officeHours('--raise-max-size', '--replace'), '--api'])).out).toMatch(
      /^replaced schedule office-hours\n.*; paused;/,
    );
    expect(operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' }).State).toBe('DISABLED');
  });
});
