import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createJsonReporter } from '../../../local/terminal/json-reporter.ts';

it('A line of the log stays one line for every reader of lines, whatever a caller has written into it', async () => {
  const written: string[] = [];
  const reporter = createJsonReporter({ write: (text: string) => written.push(text) > 0 });
  const line = { path: '/groups/a\u2028b\u2029c\u0085d' };
  reporter.log('scale-api', JSON.stringify(line));
  // Node's readline takes U+2028 and U+2029 for the end of a line; JSON.stringify leaves them as they are.
  const read: unknown[] = [];
  for await (const text of createInterface({ input: Readable.from(written) })) read.push(JSON.parse(text));
  expect(read).toEqual([{ event: 'log', functionName: 'scale-api', line }]);
});
