import type { Context, UserInfo, WriteOptions } from '../registry/context.ts';
import { createObject } from '../registry/create.ts';
import { deleteObject } from '../registry/delete.ts';
import { getObject, updateObject } from '../registry/update.ts';
import type { KubernetesObject } from '../store/object.ts';
import { parseBody, parseDeleteOptions, parseObject } from './body.ts';
import { badRequest, invalid, methodNotAllowed } from './errors.ts';
import type { Item, Lister } from './list.ts';
import { patchObject } from './patch-request.ts';
import { renderObject, renderPage } from './render.ts';
import { type ApiRequest, type ApiResponse, jsonResponse } from './request.ts';
import type { ResourceRoute } from './route.ts';
import { checkShape } from './shapes.ts';
import type { StatusError } from './status-error.ts';
import { watchResource } from './watch.ts';

export interface ResourceCall {
  readonly context: Context;
  readonly lister: Lister;
  readonly route: ResourceRoute;
  readonly request: ApiRequest;
  readonly user: UserInfo;
}

/** Answers a request for stored objects or their `status`. Throws StatusError. */
export function answerResource(call: ResourceCall): ApiResponse {
  switch (call.route.verb) {
    case 'get':
      return rendered(
        call,
        200,
        getObject(call.context, call.route.definition, call.route.namespace, nameOf(call)),
      );
    case 'list':
      return renderPage(call.lister.list(call.route), rendering(call));
    case 'watch':
      return watchResource(call.context, { selection: call.route, accept: call.request.headers['accept'] });
    case 'create':
      return create(call);
    case 'update':
      return update(call);
    case 'patch':
      return patch(call);
    case 'delete':
      return remove(call);
    case 'deletecollection':
      return removeAll(call);
  }
}

export function nameOf({ route }: ResourceCall): string {
  if (route.name === undefined) throw badRequest('the request names no object');
  return route.name;
}

function rendering({ route, request, context }: ResourceCall) {
  const { definition, query } = route;
  return { definition, query, accept: request.headers['accept'], now: context.clock.now() };
}

function rendered(call: ResourceCall, status: number, object: Item): ApiResponse {
  return renderObject(status, object, rendering(call));
}

/** Throws 422 for a dryRun that is not `All`. */
export function writeOptions({ route: { query, verb }, user, request }: ResourceCall): WriteOptions {
  const dryRun = query.getAll('dryRun');
  if (dryRun.some((value) => value !== 'All')) throw invalidDryRun(verb, dryRun);
  const agent = (request.headers['user-agent'] ?? 'unknown').split('/')[0] ?? '';
  return { dryRun: dryRun.length > 0, user, fieldManager: query.get('fieldManager') ?? agent };
}

/** `create` has CreateOptions, and so on. */
function invalidDryRun(verb: string, given: readonly string[]): StatusError {
  const name = verb === 'deletecollection' ? 'delete' : verb;
  return invalid({
    group: 'meta.k8s.io',
    kind: `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`,
    name: '',
    causes: [
      {
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: ${JSON.stringify(given)}: supported values: "All"`,
        field: 'dryRun',
      },
    ],
  });
}

/** The object in the body, in the namespace of the path. Throws 400 when it says another. */
export function objectOf({ request, route }: ResourceCall): KubernetesObject {
  const object = parseObject(parseBody(request.body, request.headers['content-type']));
  if (route.subresource === undefined && route.definition.group !== 'events.k8s.io')
    checkShape(route.definition, object);
  const { namespace } = route;
  if (namespace === undefined) return object;
  const given = object.metadata?.namespace ?? '';
  if (given !== '' && given !== namespace) throw otherNamespace();
  return { ...object, metadata: { ...object.metadata, namespace } };
}

export const otherNamespace = () =>
  badRequest('the namespace of the provided object does not match the namespace sent on the request');

function create(call: ResourceCall): ApiResponse {
  if (call.route.name !== undefined) throw methodNotAllowed();
  const { context, route } = call;
  return rendered(call, 201, createObject(context, route.definition, objectOf(call), writeOptions(call)));
}

function update(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const { definition, subresource } = route;
  const previous = getObject(context, definition, route.namespace, nameOf(call));
  const parts = { definition, previous, next: objectOf(call), options: writeOptions(call) };
  return rendered(
    call,
    200,
    updateObject(context, { ...parts, ...(subresource !== undefined && { subresource }) }),
  );
}

function patch(call: ResourceCall): ApiResponse {
  const { request, route, context } = call;
  const { status, object } = patchObject(context, {
    selection: { ...route, name: nameOf(call) },
    subresource: route.subresource,
    body: request.body,
    contentType: request.headers['content-type'] ?? '',
    options: writeOptions(call),
  });
  return rendered(call, status, object);
}

function deleteOptionsOf({ request, route }: ResourceCall) {
  const body = request.body === undefined || request.body === '' ? undefined : request.body;
  const value = body === undefined ? undefined : parseBody(body, request.headers['content-type']);
  return parseDeleteOptions(value, route.query);
}

function remove(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const { definition } = route;
  const options = deleteOptionsOf(call);
  const object = getObject(context, definition, route.namespace, nameOf(call));
  const dryRun = writeOptions(call).dryRun === true || (options.dryRun ?? []).includes('All');
  const deletion = deleteObject(context, { definition, object, options, dryRun });
  if (!deletion.gone || definition.plural === 'pods') return rendered(call, 200, deletion.object);
  const { name, uid } = object.metadata;
  const group = definition.group === '' ? {} : { group: definition.group };
  const details = { name, ...group, kind: definition.plural, uid };
  return jsonResponse(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

function removeAll(call: ResourceCall): ApiResponse {
  const { context, route, lister } = call;
  const options = deleteOptionsOf(call);
  const dryRun = writeOptions(call).dryRun === true;
  const page = lister.list(route);
  for (const object of page.items)
    deleteObject(context, { definition: route.definition, object, options, dryRun });
  return renderPage(page, rendering(call));
}
