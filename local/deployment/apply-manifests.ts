import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import type { SendHttp } from '../../shared/net/http.ts';
import { check } from './template.ts';

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.optional(z.string()) }),
});
type Manifest = z.infer<typeof manifestSchema>;

/** Where a manifest's kind is created. The kinds of deploy/*.yaml form their plurals with `s` or `ies`. */
function collectionOf({ apiVersion, kind, metadata: { namespace } }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${scope}/${kind.toLowerCase().replace(/y$/, 'ie')}s`;
}

/**
 * Creates the objects of a file of manifests (`deploy/rbac.yaml`) in a new cluster, as `kubectl create -f` does.
 *
 * @throws Error with the API server's answer to the first object that it does not take
 */
export async function applyManifests(
  yaml: string,
  {
    sendHttp,
    server,
    token,
  }: { readonly sendHttp: SendHttp; readonly server: string; readonly token: string },
): Promise<void> {
  for (const document of parseAllDocuments(yaml)) {
    const manifest = check(manifestSchema, document.toJS(), 'a manifest');
    const { status, body } = await sendHttp({
      method: 'POST',
      url: `${server}${collectionOf(manifest)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(manifest),
      timeoutMilliseconds: 10_000,
    });
    if (status >= 300) throw new Error(`${manifest.kind} ${manifest.metadata.name}: ${status} ${body}`);
  }
}
