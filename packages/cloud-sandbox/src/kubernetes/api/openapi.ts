import { apiVersionOf, type ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { type ApiResponse, jsonResponse } from './request.ts';

/**
 * OpenAPI v3 as far as `kubectl apply` reads it: that a PATCH takes `fieldValidation` and `dryRun`. There are no schemas, so
 * `kubectl explain` has nothing to show.
 */
export function answerOpenApi(path: string): ApiResponse | undefined {
  if (path === '/openapi/v2') return withoutSchemas;
  if (path === '/openapi/v3') return jsonResponse(200, { paths: index() });
  const found = /^\/openapi\/v3\/(api|apis\/[^/]+)\/(v1)$/.exec(path);
  if (found === null) return undefined;
  const group = found[1] === 'api' ? '' : (found[1] ?? '').slice('apis/'.length);
  return jsonResponse(200, documentOf(definitions.filter((definition) => definition.group === group)));
}

/** OpenAPI v2 as kubectl takes it, in protobuf: a document in which nothing is set has no bytes, and describes no kind. */
const withoutSchemas: ApiResponse = {
  status: 200,
  headers: { 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
  body: '',
};

function rootOf(definition: ResourceDefinition): string {
  return definition.group === '' ? 'api/v1' : `apis/${apiVersionOf(definition)}`;
}

function index(): object {
  const roots = [...new Set(definitions.map(rootOf))];
  return Object.fromEntries(
    roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=sandbox` }]),
  );
}

const queryParameter = (name: string): object => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
});

function documentOf(resources: readonly ResourceDefinition[]): object {
  const paths = Object.fromEntries(
    resources.map((definition) => [itemPath(definition), { patch: patchOperation(definition) }]),
  );
  const info = { title: 'Kubernetes', version: 'v1.34.4' };
  return { openapi: '3.0.0', info, paths, components: { schemas: {} } };
}

function itemPath(definition: ResourceDefinition): string {
  const scope = definition.namespaced ? 'namespaces/{namespace}/' : '';
  return `/${rootOf(definition)}/${scope}${definition.plural}/{name}`;
}

function patchOperation({ group, version, kind }: ResourceDefinition): object {
  return {
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(queryParameter),
    requestBody: { content: { 'application/apply-patch+yaml': { schema: { type: 'object' } } } },
    responses: { 200: { description: 'OK' } },
  };
}
