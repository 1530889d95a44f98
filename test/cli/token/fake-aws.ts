import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const hour = 3_600_000;

/**
 * The calls by which credentials are got, on a real socket, because the SDK looks credentials up with a client of its own. Each answer has keys of its own, as
 * with AWS.
 */
export async function startFakeAws() {
  const asked: string[] = [];
  /** An error of STS for the next calls: its code. */
  const state = { refusal: undefined as string | undefined, aheadMilliseconds: 0 };
  const credentials = () => ({
    accessKeyId: `ASIAFAKE${String(asked.length).padStart(4, '0')}`,
    secretAccessKey: 'secret',
    sessionToken: 'session',
    expiration: Date.now() + hour + state.aheadMilliseconds,
  });
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const form = new URLSearchParams(body);
      const action = form.get('Action') ?? new URL(request.url ?? '/', 'http://x').pathname;
      asked.push(
        [action, form.get('RoleArn'), form.get('RoleSessionName'), form.get('ExternalId')]
          .filter(Boolean)
          .join(' '),
      );
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = credentials();
      response.setHeader('x-amzn-requestid', 'fake');
      if (state.refusal !== undefined) {
        response.writeHead(403, { 'content-type': 'text/xml' });
        response.end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>${state.refusal}</Code><Message>User: ann is not so</Message></Error><RequestId>fake</RequestId></ErrorResponse>`,
        );
      } else if (action.startsWith('/')) {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ roleCredentials: { accessKeyId, secretAccessKey, sessionToken, expiration } }),
        );
      } else {
        response.setHeader('content-type', 'text/xml');
        response.end(
          `<${action}Response><${action}Result><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>${new Date(expiration).toISOString()}</Expiration></Credentials></${action}Result><ResponseMetadata><RequestId>fake</RequestId></ResponseMetadata></${action}Response>`,
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    state,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
