import type { AwsHttpRequest, AwsHttpResponse } from '../../../src/aws/codec/http.ts';

/** A request as documentation writes it: a URL on several lines, or HTTP. */
export function readRequest(text: string): AwsHttpRequest {
  if (text.startsWith('https://')) return requestOf('GET', new URL(text.replaceAll(/\s+/g, '')), text);
  const { start, headers, body } = partsOf(text);
  const [method = '', target = '/'] = start.split(' ');
  const url = new URL(target, `https://${headers.host ?? 'aws.example'}`);
  return { ...requestOf(method, url, text), headers, body: Buffer.from(body) };
}

const requestOf = (method: string, url: URL, text: string): AwsHttpRequest => ({
  method,
  path: url.pathname,
  query: [...url.searchParams].filter(([name]) => name !== 'AUTHPARAMS'),
  headers: { host: url.host },
  body: Buffer.from(text.startsWith('https://') ? '' : text),
});

/** A response: its status line, headers and body, or only the body of a success. */
export function readResponse(text: string): AwsHttpResponse & { readonly body: string } {
  if (!text.startsWith('HTTP/')) return { statusCode: 200, headers: {}, body: text };
  const { start, headers, body } = partsOf(text);
  return { statusCode: Number(start.split(' ')[1]), headers, body };
}

function partsOf(text: string) {
  const [head = '', ...rest] = text.split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim().toLowerCase(), value.join(':').trim()];
    }),
  );
  return { start, headers, body: rest.join('\n\n') };
}
