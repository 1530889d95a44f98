import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import * as z from 'zod/mini';
import type { StartedSandbox } from './started-sandbox.ts';

const clientSchema = z.object({ certificateAuthority: z.string(), certificate: z.string(), key: z.string() });
const listSchema = z.object({
  members: z.array(z.object({ name: z.string(), isLearner: z.optional(z.boolean()) })),
});

/**
 * The members as the first port lists them on which one answers, asked with the certificate that the sandbox gives to programs.
 * Rejects if no port answers.
 */
export async function etcdMembers(
  { ready, events }: StartedSandbox,
  { withCertificate = true } = {},
): Promise<z.infer<typeof listSchema>['members']> {
  const files = clientSchema.parse(events.find(({ event }) => event === 'etcd-client'));
  const [ca, cert, key] = await Promise.all(
    [files.certificateAuthority, files.certificate, files.key].map((path) => readFile(path, 'utf8')),
  );
  const tls = { ca, ...(withCertificate && { cert, key }) };
  const text = await Promise.any(
    ready.endpoints.etcd.map((url) => post(`${url}/v3/cluster/member/list`, tls)),
  );
  return listSchema.parse(JSON.parse(text)).members;
}

function post(url: string, tls: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ...tls, method: 'POST', agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
    });
    call.on('error', reject);
    call.end('{}');
  });
}
