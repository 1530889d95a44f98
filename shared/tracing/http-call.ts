import type { TracedCall } from '../base/trace.ts';

/** A request to the API server or to a member of etcd, without what it is about: no query, and no name of a namespace or an object. Pure. */
export function httpCall(
  { method, url }: { readonly method: string; readonly url: string },
  clusterName: string,
): TracedCall {
  const parsed = URL.parse(url);
  const [service, path] = placeOf(parsed?.pathname ?? '');
  return {
    name: `${service} ${clusterName}`,
    namespace: 'remote',
    method,
    ...(parsed && { url: `${parsed.origin}${path}` }),
  };
}

function placeOf(pathname: string): readonly [string, string] {
  // The gateway of etcd names an operation, and the object is in the body. Of the API server Drover asks no `/health`.
  const etcd = /^\/(?:v3\/[a-z_/]+|health)$/.exec(pathname);
  if (etcd) return ['etcd', pathname];
  // A server of the kubeconfig may have a path of its own, in which a proxy names the cluster.
  const [, api, rest = ''] = /(\/api\/v\d\w*|\/apis\/[\w.-]+\/v\d\w*)(?:\/(.*))?$/.exec(pathname) ?? [];
  return ['Kubernetes', api === undefined ? '' : [api, ...withoutNames(rest.split('/'))].join('/')];
}

/** `namespaces/NAMESPACE/pods/NAME/eviction` and `nodes/NAME` (Kubernetes, "API URIs"), at most with one subresource. */
function withoutNames([first = '', second, third, ...rest]: readonly string[]): readonly string[] {
  if (first === '') return [];
  if (first === 'namespaces' && third !== undefined)
    return ['namespaces', '{namespace}', ...withoutNames([third, ...rest])];
  return [first, ...(second === undefined ? [] : ['{name}']), ...(third === undefined ? [] : [third])];
}
