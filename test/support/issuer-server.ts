import { createServer } from 'node:https';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { createTestAuthority } from '@drover/cloud-sandbox/real/test-authority.ts';

/** What an account's issuer of web identity tokens serves, on a port of this machine over TLS, as a copy of it would be. */
export async function serveIssuer(issuer: {
  readonly document: (path: string, base: string) => object | undefined;
}) {
  const authority = await createTestAuthority('issuer');
  const { certificate, key } = await authority.issue({ commonName: 'issuer', names: ['127.0.0.1'] });
  const url = `https://127.0.0.1:${await freePort()}`;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const document = issuer.document(request.url ?? '', url);
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(Number(new URL(url).port), '127.0.0.1', resolve);
  });
  return {
    discoveryUrl: `${url}/.well-known/openid-configuration`,
    certificateAuthority: authority.certificate,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
