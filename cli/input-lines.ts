/** What reads an input takes less than this. An input without line ends, such as /dev/zero, would fill the memory. */
export const longestLine = 64 * 1024 * 1024;

/**
 * The lines of an input, which is closed when the reader stops, as after one answer: otherwise the process would run until the input ends, which a
 * terminal's does not. What is longer than `longestLine` comes in several parts.
 */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncIterable<string> {
  let parts: string[] = [];
  let length = 0;
  const line = (): string => parts.join('').replace(/\r$/, '');
  for await (const chunk of input.setEncoding('utf8')) {
    const [first = '', ...others] = String(chunk).split('\n');
    parts.push(first);
    length += first.length;
    for (const other of others) {
      yield line();
      parts = [other];
      length = other.length;
    }
    if (length <= longestLine) continue;
    yield line();
    parts = [];
    length = 0;
  }
  if (length > 0) yield line();
}
