/** The rules of a manifest of RBAC. */
interface Rules {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** `namespace: verb resource.group`, one for each right. */
export const rightsOf = ({ metadata, rules = [] }: Rules): readonly string[] =>
  rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${metadata.namespace ?? '*'}: ${verb} ${resource}${group && `.${group}`}`),
      ),
    ),
  );

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * The right that a request needs, as the API server's authorizer reads it.
 *
 * @param narrowed - the namespaces in which rights are granted by Roles
 */
export function rightFor(
  { method, path }: { readonly method: string; readonly path: string },
  narrowed: ReadonlySet<string> = new Set(['default', 'kube-system']),
): string {
  const parts = path.split('/').slice(1);
  const group = parts[0] === 'apis' ? (parts[1] ?? '') : '';
  const rest = parts.slice(parts[0] === 'apis' ? 3 : 2);
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name, subresource] = namespaced ? rest.slice(2) : rest;
  const namespace = namespaced && narrowed.has(rest[1] ?? '') ? rest[1] : '*';
  const verb = method === 'GET' && name === undefined ? 'list' : (verbs[method] ?? method);
  return `${namespace}: ${verb} ${resource}${subresource ? `/${subresource}` : ''}${group && `.${group}`}`;
}
