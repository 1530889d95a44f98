import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogs, type SimulatedLogs } from '../../../src/aws/logs/logs.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestFront } from '../support/test-front.ts';

const logGroupName = '/aws/lambda/f';
let clock: ReturnType<typeof createManualClock>;
let logs: SimulatedLogs;
let client: CloudWatchLogsClient;

beforeEach(() => {
  clock = createManualClock();
  logs = createLogs({ clock });
  client = new CloudWatchLogsClient(createTestFront({ services: [logs], clock }).clientOptions);
});

const write = (line: object | string) =>
  logs.controls.write(logGroupName, typeof line === 'string' ? line : JSON.stringify(line));
const filter = (input: Partial<FilterLogEventsCommandInput> = {}) =>
  client.send(new FilterLogEventsCommand({ logGroupName, ...input }));
const found = async (filterPattern: string) =>
  ((await filter({ filterPattern })).events ?? []).map(
    ({ message = '' }) => JSON.parse(message).id as number,
  );

describe('FilterLogEvents', () => {
  it.each([
    ['{ $.subject = "i-a" }', [1]],
    ['{ $.subject != "i-a" }', [2]],
    ['{ $.message = "pass" && ($.subject = "i-b" || $.level = "error") }', [2]],
    ['{ $.message = "certificate *" || $.subject = "i-a" && $.level = "error" }', [3]],
    ['{ $.made[0] = "*" }', [4]],
    ['{ $.error.name = "Throttling" }', [3]],
    ['', [1, 2, 3, 4]],
  ])('with the pattern %s finds lines %o', async (pattern, ids) => {
    write({ id: 1, message: 'pass', subject: 'i-a', level: 'info' });
    write({ id: 2, message: 'pass', subject: 'i-b', level: 'error' });
    write({ id: 3, message: 'certificate request approved', error: { name: 'Throttling' } });
    write({ id: 4, made: ['workers/night'] });
    expect(await found(pattern)).toEqual(ids);
  });

  it('finds no text with a pattern over JSON', async () => {
    write('START RequestId: 1');
    expect((await filter({ filterPattern: '{ $.a != "b" }' })).events).toEqual([]);
    expect((await filter()).events).toMatchObject([{ message: 'START RequestId: 1' }]);
  });

  it.each(['{ $.a }', '{ $.a = }', '{ ($.a = "b" }', '{ $.a = "b" c }', 'word'])(
    'refuses the pattern %s',
    async (filterPattern) => {
      write({ a: 1 });
      await expect(filter({ filterPattern })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    },
  );

  it.each([
    [true, [0, 1, 2, 3, 4]],
    [false, [4, 3, 2, 1, 0]],
  ])(
    'gives pages, with startFromHead %s in its order, also while lines are written',
    async (startFromHead, ids) => {
      for (let id = 0; id < 5; id += 1) write({ id });
      const at = clock.now();
      const seen: number[] = [];
      let nextToken: string | undefined;
      do {
        const page = await filter({ limit: 2, nextToken, startFromHead, startTime: at, endTime: at });
        seen.push(...(page.events ?? []).map(({ message = '' }) => JSON.parse(message).id as number));
        nextToken = page.nextToken;
        clock.advance(1);
        write({ id: 9 });
      } while (nextToken !== undefined);
      expect(seen).toEqual(ids);
    },
  );

  it('keeps a bounded number of lines: the newest', async () => {
    for (let id = 0; id < 20_000; id += 1) write({ id });
    const { events = [] } = await filter();
    expect(events.length).toBeLessThanOrEqual(10_000);
    expect(events.at(-1)?.message).toBe('{"id":19999}');
  });

  it('refuses a group that is not there, another token, and the newest first from before 2024', async () => {
    await expect(filter()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    logs.controls.createLogGroup(logGroupName);
    expect((await filter()).events).toEqual([]);
    await expect(filter({ nextToken: 'abc' })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(filter({ startFromHead: false })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });
});

describe('log groups', () => {
  it('are listed by their prefix, in pages and in order, until they are deleted', async () => {
    for (const name of ['/aws/lambda/b', '/aws/other', '/aws/lambda/a']) logs.controls.createLogGroup(name);
    const logGroupNamePrefix = '/aws/lambda/';
    const list = async (nextToken?: string) =>
      client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix, limit: 1, nextToken }));
    const first = await list();
    const second = await list(first.nextToken);
    expect([first, second].map(({ logGroups }) => logGroups?.[0]?.logGroupName)).toEqual([
      '/aws/lambda/a',
      '/aws/lambda/b',
    ]);
    expect(second.nextToken).toBeUndefined();
    await client.send(new DeleteLogGroupCommand({ logGroupName: '/aws/lambda/a' }));
    expect((await list()).logGroups).toMatchObject([{ logGroupName: '/aws/lambda/b' }]);
    await expect(
      client.send(new DeleteLogGroupCommand({ logGroupName: '/aws/lambda/a' })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
