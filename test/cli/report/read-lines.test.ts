import type { CloudWatchLogsClient, FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { mostLines, readLines } from '../../../cli/report/read-lines.ts';

interface Page {
  readonly times: readonly number[];
  readonly next?: string;
}

const refused = (name: string): Error => Object.assign(new Error(name), { name });

/** CloudWatch Logs that answers with these pages, or throws, one after the other. */
function reading(answers: (call: number) => Page | Error) {
  const asked: FilterLogEventsCommandInput[] = [];
  const lines: string[] = [];
  const pauses: number[] = [];
  const progress: number[] = [];
  const client = {
    send: async ({ input }: { readonly input: FilterLogEventsCommandInput }) => {
      asked.push(input);
      const answer = answers(asked.length);
      if (answer instanceof Error) throw answer;
      return {
        events: answer.times.map((timestamp) => ({ timestamp, message: `${timestamp}` })),
        nextToken: answer.next,
      };
    },
  } as unknown as CloudWatchLogsClient;
  const query = {
    logGroupName: '/aws/lambda/drover-dev-sweep',
    pattern: '{ $.a = "b" }',
    since: 10,
    until: 90,
  };
  const read = () =>
    readLines(
      {
        client,
        pause: async (milliseconds) => void pauses.push(milliseconds),
        onProgress: ({ lines: count }) => void progress.push(count),
      },
      query,
      (line) => void lines.push(line),
    );
  return { read, asked, lines, pauses, progress };
}

describe('the lines of a log', () => {
  // https://github.com/brendanhay/amazonka/issues/296, https://github.com/boto/boto3/issues/4258
  it('are read beyond pages that are empty', async () => {
    const pages: readonly Page[] = [{ times: [80], next: 'a' }, { times: [], next: 'b' }, { times: [20] }];
    const { read, asked, lines, progress } = reading((call) => pages[call - 1] ?? { times: [] });
    expect(await read()).toEqual({ lines: 2, oldest: 20, isCut: false });
    expect(lines).toEqual(['80', '20']);
    expect(asked.map(({ nextToken }) => nextToken)).toEqual([undefined, 'a', 'b']);
    expect(asked[0]).toMatchObject({ startTime: 10, endTime: 90, startFromHead: false });
    expect(progress).toEqual([1, 1, 2]);
  });

  // https://github.com/boto/boto3/issues/4472: a token that comes again.
  it('end where the same token comes again, and older ones count as left out', async () => {
    const { read, asked } = reading(() => ({ times: [50], next: 'same' }));
    expect(await read()).toEqual({ lines: 2, oldest: 50, isCut: true });
    expect(asked).toHaveLength(2);
  });

  it('are a million at most, and older ones count as left out', async () => {
    const times = Array.from({ length: 10_000 }, () => 50);
    const { read, asked } = reading((call) => ({ times, next: `${call}` }));
    expect(await read()).toEqual({ lines: mostLines, oldest: 50, isCut: true });
    expect(asked).toHaveLength(mostLines / 10_000);
  });

  it('are read on after AWS has throttled a call, with longer pauses, and not forever', async () => {
    const { read, pauses } = reading((call) =>
      call <= 2 ? refused('ThrottlingException') : { times: [50] },
    );
    expect(await read()).toMatchObject({ lines: 1 });
    expect(pauses).toEqual([1000, 2000]);
    const endless = reading(() => refused('ThrottlingException'));
    await expect(endless.read()).rejects.toThrow('ThrottlingException');
    expect(endless.asked).toHaveLength(6);
  });

  it('of a log that does not exist are not zero lines, and what is denied is an error at once', async () => {
    expect(await reading(() => refused('ResourceNotFoundException')).read()).toBeUndefined();
    const denied = reading(() => refused('AccessDeniedException'));
    await expect(denied.read()).rejects.toThrow('AccessDeniedException');
    expect(denied.asked).toHaveLength(1);
  });
});
