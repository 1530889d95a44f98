import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import * as z from 'zod/mini';
import { evictPod } from '../eviction/eviction.ts';
import { checkNamespace } from '../registry/create.ts';
import { getObject, updateObject } from '../registry/update.ts';
import { definitionOf } from '../resources/definitions.ts';
import type { Stored } from '../store/object.ts';
import { parseBody, parseDeleteOptions } from './body.ts';
import { badRequest, conflict, methodNotAllowed, noSuchResource } from './errors.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import {
  answerResource,
  nameOf,
  objectOf,
  otherNamespace,
  type ResourceCall,
  writeOptions,
} from './resource-requests.ts';
import { answerScale } from './scale.ts';

/** Answers a request for a part of an object. Throws 404 when the resource has no such part. */
export function answerSubresource(call: ResourceCall): ApiResponse {
  const { definition, subresource = '', verb } = call.route;
  if (!definition.subresources.includes(subresource)) throw noSuchResource();
  if (subresource === 'eviction' && verb === 'create') return evict(call);
  if (subresource === 'binding' && verb === 'create') return bind(call);
  if (subresource === 'scale') return answerScale(call);
  if (subresource === 'token' || subresource === 'eviction' || subresource === 'binding')
    throw methodNotAllowed();
  return answerResource(call);
}

const evictionSchema = z.looseObject({
  apiVersion: z.optional(z.enum(['policy/v1', 'policy/v1beta1'])),
  kind: z.optional(z.literal('Eviction')),
  metadata: z.optional(z.looseObject({ name: z.optional(z.string()), namespace: z.optional(z.string()) })),
  deleteOptions: z.optional(z.nullable(z.looseObject({}))),
});

/** As admission sees it first: nothing is created in a namespace that is going, so its pods cannot be evicted. */
function evict(call: ResourceCall): ApiResponse {
  const { context, request, route } = call;
  const name = nameOf(call);
  const namespace = route.namespace ?? 'default';
  const body = evictionSchema.safeParse(parseBody(request.body, request.headers['content-type']));
  if (!body.success) throw badRequest('the body is not an Eviction');
  if ((body.data.metadata?.namespace ?? namespace) !== namespace) throw otherNamespace();
  checkNamespace(context, definitionOf('pods'), { namespace, name });
  const deleteOptions = parseDeleteOptions(body.data.deleteOptions ?? undefined, new URLSearchParams());
  const dryRun = writeOptions(call).dryRun === true || (deleteOptions.dryRun ?? []).includes('All');
  const bodyName = body.data.metadata?.name;
  const eviction = { namespace, name, deleteOptions, dryRun, ...(bodyName !== undefined && { bodyName }) };
  return jsonResponse(201, evictPod(context, eviction));
}

const bindingSchema = z.looseObject({ target: z.looseObject({ name: z.string() }) });

function bind(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const definition = definitionOf('pods');
  const parsed = bindingSchema.safeParse(objectOf(call));
  if (!parsed.success) throw badRequest('the body is not a Binding');
  const previous = getObject(context, definition, route.namespace, nameOf(call)) as Stored<Pod>;
  if (previous.spec?.nodeName !== undefined)
    throw conflict(
      definition,
      nameOf(call),
      `pod ${nameOf(call)} is already assigned to node "${previous.spec.nodeName}"`,
    );
  const next = { ...previous, spec: { ...previous.spec, nodeName: parsed.data.target.name } };
  updateObject(context, { definition, previous, next, options: writeOptions(call) });
  return jsonResponse(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
}
