import type { Admission } from '../admission/admission.ts';
import type { Context, UserInfo } from '../registry/context.ts';
import { createObject } from '../registry/create.ts';
import { deleteObject } from '../registry/delete.ts';
import { getObject, updateObject } from '../registry/update.ts';
import { apiVersionOf } from '../resources/definition.ts';
import { parseDeleteBody, parseDeleteOptions } from './delete-options.ts';
import { badRequest, forbidden, methodNotAllowed, notFound } from './errors.ts';
import type { Item, Lister } from './list.ts';
import { patchObject } from './patch-request.ts';
import { renderObject, renderPage } from './render.ts';
import { type ApiRequest, type ApiResponse, jsonResponse } from './request.ts';
import { requestObject } from './request-object.ts';
import type { ResourceRoute } from './route.ts';
import { checkNotAhead, versionOf } from './versions.ts';
import { watchResource } from './watch.ts';
import { writeOptions } from './write-options.ts';

export interface ResourceCall {
  readonly context: Context;
  readonly lister: Lister;
  readonly route: ResourceRoute;
  readonly request: ApiRequest;
  readonly user: UserInfo;
  readonly admission: Admission;
}

/** Answers a request for stored objects or their `status`. Throws StatusError. */
export function answerResource(call: ResourceCall): ApiResponse {
  switch (call.route.verb) {
    case 'get':
      checkNotAhead(call.context.store, versionOf(call.route.query));
      return rendered(call, 200, read(call));
    case 'list':
      return renderPage(call.lister.list({ ...call.route, ...staleness(call) }), rendering(call));
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
    case '':
      throw methodNotAllowed();
  }
}

const staleness = ({ request: { staleSeconds } }: ResourceCall) => ({ staleSeconds });

function read(call: ResourceCall): Item {
  const name = nameOf(call);
  const found = call.lister.get({ ...call.route, name, ...staleness(call) });
  if (found === undefined) throw notFound(call.route.definition, name);
  return found;
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

function create(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const options = writeOptions(call);
  const { object, warning } = requestObject(call);
  return warned(rendered(call, 201, createObject(context, route.definition, object, options)), warning);
}

/** A PUT names what it replaces. */
function update(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const { definition, subresource } = route;
  const options = writeOptions(call);
  const { object, warning } = requestObject(call);
  if ((object.metadata?.name ?? '') === '')
    throw badRequest(
      `the name of the object (${nameOf(call)} based on URL) was undeterminable: name must be provided`,
    );
  const previous = getObject(context, definition, route.namespace, nameOf(call));
  const next = { ...object, kind: definition.kind, apiVersion: apiVersionOf(definition) };
  const parts = { definition, previous, next, options, ...(subresource !== undefined && { subresource }) };
  return warned(rendered(call, 200, updateObject(context, parts)), warning);
}

function patch(call: ResourceCall): ApiResponse {
  const { request, route, context } = call;
  const { status, object, warning } = patchObject(context, {
    selection: { ...route, name: nameOf(call) },
    subresource: route.subresource,
    body: request.body,
    contentType: request.headers['content-type'] ?? '',
    options: writeOptions(call),
  });
  return warned(rendered(call, status, object), warning);
}

function warned(response: ApiResponse, warning: string | undefined): ApiResponse {
  return warning === undefined ? response : { ...response, headers: { ...response.headers, warning } };
}

function deleteOptionsOf({ request, route }: ResourceCall) {
  return parseDeleteOptions(parseDeleteBody(request.body, request.headers['content-type']), route.query);
}

/** As the NamespaceLifecycle admission plugin: what the cluster needs. */
const kept = ['default', 'kube-system', 'kube-public'];

function remove(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const { definition } = route;
  const options = deleteOptionsOf(call);
  const object = getObject(context, definition, route.namespace, nameOf(call));
  if (definition.plural === 'namespaces' && kept.includes(nameOf(call)))
    throw forbidden(definition, nameOf(call), 'this namespace may not be deleted');
  const { admit, dryRun: isRehearsal } = writeOptions(call);
  admit?.({ operation: 'delete', definition, name: nameOf(call), previous: object });
  const dryRun = isRehearsal === true || (options.dryRun ?? []).includes('All');
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
  const dryRun = writeOptions(call).dryRun === true || (options.dryRun ?? []).includes('All');
  const page = lister.list(route);
  for (const object of page.items)
    deleteObject(context, { definition: route.definition, object, options, dryRun });
  return renderPage(page, rendering(call));
}
