import { PassThrough, Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, longestLine } from '../../cli/input-lines.ts';

async function collected(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(chunks, { objectMode: false }))) lines.push(line);
  return lines;
}

describe('the lines of an input', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['yes', ['yes']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n\r\n', ['a', 'b', '']],
  ])('of %j are %j', async (text, lines) => {
    expect(await collected([text])).toEqual(lines);
  });

  it('are the same wherever the input is cut, also within a letter', async () => {
    const text = fc.array(fc.constantFrom('ä', '𝄞', 'x', '\n', '\r\n'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (letters, size) => {
        const bytes = Buffer.from(letters.join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(await collected(chunks)).toEqual(await collected([bytes]));
      }),
    );
  });

  it('end the input when the reader stops', async () => {
    const input = new PassThrough();
    input.write('yes\n');
    for await (const line of linesOf(input)) {
      expect(line).toBe('yes');
      break;
    }
    expect(input.destroyed).toBe(true);
  });

  it('come in parts if there is no end of a line, so that they do not fill the memory', async () => {
    const chunk = '\0'.repeat(16 * 1024 * 1024);
    const endless = Readable.from(
      (function* () {
        for (;;) yield chunk;
      })(),
      { objectMode: false },
    );
    for await (const part of linesOf(endless)) {
      expect(part.length).toBeGreaterThan(longestLine);
      break;
    }
    expect(endless.destroyed).toBe(true);
  });
});
