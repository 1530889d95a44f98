import { describe, expect, it } from 'vitest';
import { withWorkers } from '../../../local/world/drover-world.ts';
import { apiOperatorOf } from '../through-scale-api.ts';
import { createScheduleWorld, groupName, officeHours } from './support.ts';

describe('drover schedule create', () => {
  it('creates a schedule in the schedule group of the cluster, and shows its next times', async () => {
    const { drover, operations } = await createScheduleWorld();
    const { code, out, err } = await drover(officeHours('--except', '2026-01-07'));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^created schedule office-hours\n/);
    expect(out).toContain('5 nodes or more in workers for 10h, cron(0 8 ? * MON-FRI *) in Europe/Berlin');
    expect(out).toMatch(
      /2026-01-06T08:00:00 +2026-01-06T06:50:00Z +2026-01-06T07:00:00Z +2026-01-06T17:00:00Z\n/,
    );
    expect(out).toMatch(/2026-01-07T08:00:00 +never: an exception/);
    const { Target, ...schedule } = operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' });
    expect(schedule).toMatchObject({
      ScheduleExpression: 'cron(0 8 ? * MON-FRI *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'NONE',
    });
    expect(Target?.Arn).toMatch(/:function:drover-\w+-prewarm$/);
    expect(Target?.RoleArn).toMatch(/:role\/drover-\w+-schedules$/);
    expect(JSON.parse(Target?.Input ?? '')).toEqual({
      version: 1,
      work: 'schedule',
      autoScalingGroupName: 'workers',
      nodes: 5,
      durationSeconds: 36_000,
      lead: 600,
      exceptions: ['2026-01-07'],
      by: 'arn:aws:iam::123456789012:user/ana',
    });
  });

  it('has the caller of the scale API as its maker, and does not call STS', async () => {
    const { world, operations } = await createScheduleWorld();
    const { code, err } = await apiOperatorOf(world).drover(officeHours('--api'));
    expect([code, err]).toEqual([0, '']);
    const { Target } = operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' });
    expect(JSON.parse(Target?.Input ?? '')).toMatchObject({
      by: 'arn:aws:iam::123456789012:user/pipeline',
    });
  });

  it('is idempotent: the same again changes nothing, and something else needs --replace', async () => {
    const { drover, operations } = await createScheduleWorld();
    await drover(officeHours());
    await drover('schedule pause office-hours');
    expect((await drover(officeHours())).out).toMatch(/^schedule office-hours already exists as requested\n/);
    const other = await drover(officeHours('--raise-max-size'));
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('asks for something else') });
    expect((await drover(officeHours('--raise-max-size', '--replace'))).out).toMatch(
      /^replaced schedule office-hours\n.*; paused;/,
    );
    expect(operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' })).toMatchObject({
      State: 'DISABLED',
      Target: { Input: expect.stringContaining('"raiseMaxSize":true') },
    });
  });

  it.each([
    [
      'the same',
      officeHours(),
      { exitCode: 0, said: 'schedule office-hours already exists as requested', why: '' },
    ],
    ['another', officeHours('--raise-max-size'), { exitCode: 1, said: '', why: 'asks for something else' }],
    [
      'another with --replace',
      officeHours('--raise-max-size', '--replace'),
      { exitCode: 0, said: 'replaced', why: '' },
    ],
  ])(
    'gives the second of two concurrent callers an answer about the first: %s',
    async (_, line, expected) => {
      const { drover } = await createScheduleWorld();
      const [first, { code, out, err }] = await Promise.all([drover(officeHours()), drover(line)]);
      expect(first).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^created schedule office-hours\n/),
      });
      const { exitCode, said, why } = expected;
      expect([code, out, err]).toEqual([
        exitCode,
        expect.stringContaining(said),
        expect.stringContaining(why),
      ]);
    },
  );

  it('changes nothing with --dry-run, and prints JSON with --json', async () => {
    const { drover, operations } = await createScheduleWorld();
    const { code, out } = await drover(officeHours('--dry-run', '--json'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      change: 'created',
      dryRun: true,
      name: 'office-hours',
      timeZone: 'Europe/Berlin',
      leadSeconds: 600,
      occurrences: [{ readyAt: '2026-01-06T07:00:00Z', madeAt: '2026-01-06T06:50:00Z' }, {}, {}, {}, {}],
    });
    expect(operations.ListSchedules({ GroupName: groupName }).Schedules).toEqual([]);
    expect((await drover(officeHours('--dry-run'))).out).toMatch(/^would create schedule office-hours\n/);
  });

  it('says that a time that has just passed still gets its hold, which is not in the preview', async () => {
    const { drover } = await createScheduleWorld();
    const { out } = await drover(officeHours('--dry-run'));
    expect(out).not.toMatch(/^2026-01-05T08:00:00/m);
    expect(out).toMatch(
      /\n\nThe time of 2026-01-05T07:00:00Z has passed, and its hold until 2026-01-05T17:00:00Z is made at once\.\n$/,
    );
  });

  it('accepts a single time, and the lead measured from launches of the group', async () => {
    const { drover } = await createScheduleWorld();
    const { code, out } = await drover(
      'schedule create workers 3 --name once --at 2026-01-09T20:00:00 --for 2h',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/; holds are created [234]m\d*s? \(measured\) ahead\n/);
    expect(out.trimEnd().split('\n')).toHaveLength(5);
  });

  it.each([
    ['both expressions', officeHours('--at', '2026-01-09T20:00:00'), 2, 'one of --cron and --at'],
    ['a bad expression', officeHours('--cron', '0 8 * * *'), 1, 'does not know when cron(0 8 * * *) runs'],
    ['an unknown time zone', officeHours('--time-zone', 'Mars'), 1, 'no time zone Mars'],
    ['a duration of seconds', officeHours('--for', '30s'), 2, 'such as 90m or 2h: 1m to 168h'],
    ['a duration without its unit', officeHours('--for', '10'), 2, 'write the unit too, such as 10m or 10h'],
    ['a long lead', officeHours('--lead', '2h'), 2, 'from 0s to 1h'],
    ['an exception without a day', officeHours('--except', '2026-12'), 2, 'a date of the calendar'],
    ['an exception that is not a date', officeHours('--except', '2026-02-30'), 2, 'a date of the calendar'],
    [
      'five fields',
      officeHours('--cron', '0 8 * * 1-5'),
      1,
      'office-hours is not created: Drover does not know',
    ],
    [
      'a time that clocks skip',
      'schedule create workers 2 --name early --at 2026-03-29T02:30:00 --time-zone Europe/Berlin --for 1h'.split(
        ' ',
      ),
      1,
      'clocks in Europe/Berlin skip 2026-03-29T02:30:00',
    ],
    ['times in the past', officeHours('--cron', '0 8 ? * MON-FRI 2025'), 1, 'it never runs'],
    ['too many times', officeHours('--cron', '0/5 * ? * MON-FRI *'), 1, 'more than 24 times'],
    [
      'more nodes than MaxSize',
      ['schedule', 'create', 'workers', '99', '--name', 'x', '--at', '2026-02-01T00:00:00', '--for', '1h'],
      1,
      'MaxSize is',
    ],
    [
      'no nodes',
      ['schedule', 'create', 'workers', '0', '--name', 'x', '--at', '2026-02-01T00:00:00', '--for', '1h'],
      2,
      'write a whole number from 1 on',
    ],
    [
      'an unknown group',
      ['schedule', 'create', 'others', '1', '--name', 'x', '--at', '2026-02-01T00:00:00', '--for', '1h'],
      1,
      'no Auto Scaling group others',
    ],
    [
      'a name that no hold can have',
      ['schedule', 'create', 'workers', '1', '--name', 'a_b', '--at', '2026-02-01T00:00:00', '--for', '1h'],
      1,
      'its name must be',
    ],
  ])('refuses %s', async (_, line, exitCode, words) => {
    const { drover, operations } = await createScheduleWorld();
    const { code, err } = await drover(line);
    expect([code, err]).toEqual([exitCode, expect.stringContaining(words)]);
    expect(operations.ListSchedules({ GroupName: groupName }).Schedules).toEqual([]);
  });

  it('accepts the former order NAME GROUP NODES, and says what to write next time', async () => {
    const { drover } = await createScheduleWorld();
    const { code, out, err } = await drover(
      'schedule create once workers 3 --at 2026-01-09T20:00:00 --for 2h',
    );
    expect([code, err]).toEqual([
      0,
      'drover: next time, write drover schedule create workers 3 --name once ...\n',
    ]);
    expect(out).toMatch(/^created schedule once\nonce: 3 nodes or more in workers/);
  });

  it.each([
    ['no name', 'schedule create workers 3', 'give the schedule a name with --name'],
    ['two names', 'schedule create once workers 3 --name twice', '3 is one argument too many'],
    ['a former order without a number', 'schedule create once 3 workers', 'workers is not a number of nodes'],
  ])('refuses %s', async (_, line, words) => {
    const { drover } = await createScheduleWorld();
    const { code, err } = await drover(`${line} --at 2026-01-09T20:00:00 --for 2h`);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('refuses an etcd group', async () => {
    const { drover, world } = await createScheduleWorld();
    await withWorkers(world, { size: 1, role: 'etcd', autoScalingGroupName: 'etcd', hook: undefined });
    const { err } = await drover('schedule create etcd 1 --name x --at 2026-02-01T00:00:00 --for 1h');
    expect(err).toContain('the size of an etcd group is the membership of etcd');
  });

  it('names what is missing if no deployment has created the schedule group', async () => {
    const { drover, operations } = await createScheduleWorld();
    operations.DeleteScheduleGroup({ Name: groupName });
    expect((await drover(officeHours())).err).toContain('has made a schedule group drover-drover');
    operations.CreateScheduleGroup({ Name: groupName });
    expect((await drover(officeHours())).err).toContain('has made a schedule group drover-drover');
  });
});

describe('drover schedule create --for-pods', () => {
  const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: "web:1", resources: {requests: {cpu: 600m, memory: 64Mi}}}]
`;
  const nine = (...more: readonly string[]): readonly string[] => [
    ...'schedule create workers --for-pods -f web.yaml --pods 12 --name nine --for 2h --lead 10m'.split(' '),
    '--cron',
    '0 9 * * ? *',
    ...more,
  ];

  it('creates a schedule whose hold has the room at its time', async () => {
    const { world, drover } = await createScheduleWorld({ files: { 'web.yaml': manifest } });
    expect(await drover(nine())).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(
        'nine: 12 pods with app=web in default in workers for 2h, cron(0 9 * * ? *)',
      ),
    });
    expect((await drover('schedule list')).out).toMatch(/^nine +workers +12 pods +2h +cron/m);
    expect(JSON.parse((await drover('schedule list --json')).out)).toMatchObject([
      { name: 'nine', nodes: 0, pods: { total: 12, selector: { matchLabels: { app: 'web' } } } },
    ]);
    expect((await drover(nine())).out).toContain('schedule nine already exists as requested');
    await world.timeline.pass(Date.parse('2026-01-05T09:00:00Z') / 1000 - world.clock.now() / 1000);
    expect((await drover('hold list')).out).toMatch(
      /^workers +nine\.20260105T0900Z +12 pods .* met +12 of 12 pods have a node or room/m,
    );
  });

  it('is refused with a number of nodes too, and if its hold would have no place in a parameter', async () => {
    const tolerations = Array.from(
      { length: 100 },
      (_, index) => `{key: example.com/team-${index}-and-role}`,
    );
    const files = {
      'web.yaml': manifest,
      'long.yaml': manifest.replace(
        '      containers',
        `      tolerations: [${tolerations.join(', ')}]\n      containers`,
      ),
    };
    const { operations, drover } = await createScheduleWorld({ files });
    const withNodes = nine()
      .map((word) => (word === 'workers' ? ['workers', '3'] : [word]))
      .flat();
    expect(await drover(withNodes)).toMatchObject({
      code: 2,
      err: expect.stringContaining('either a number of'),
    });
    expect(await drover(nine().map((word) => word.replace('web.yaml', 'long.yaml')))).toMatchObject({
      code: 1,
      err: expect.stringContaining('a parameter has place for 4096'),
    });
    expect(operations.ListSchedules({ GroupName: groupName }).Schedules).toEqual([]);
  });
});
