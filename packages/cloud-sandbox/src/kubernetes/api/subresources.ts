import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import * as z from 'zod/mini';
import { evictPod } from '../eviction/eviction.ts';
import { bindPod } from '../registry/bind.ts';
import { checkNamespace } from '../registry/create.ts';
import { getObject } from '../registry/update.ts';
import { definitionOf } from '../resources/definitions.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import { parseBody, parseObject } from './body.ts';
import { parseDeleteOptions } from './delete-options.ts';
import { badRequest, unexplained } from './errors.ts';
import { checkKind } from './kind-check.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { inNamespace } from './request-object.ts';
import { answerResource, nameOf, type ResourceCall } from './resource-requests.ts';
import { answerScale } from './scale.ts';
import { writeOptions } from './write-options.ts';

/** Answers a request for a part of an object that allows it. */
export function answerSubresource(call: ResourceCall): ApiResponse {
  switch (call.route.subresource) {
    case 'eviction':
      return evict(call);
    case 'binding':
      return bind(call);
    case 'scale':
      return answerScale(call);
    default:
      return answerResource(call);
  }
}

const evictionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };
const bindingKind = { group: '', version: 'v1', kind: 'Binding' };

/** The body of a part that has a kind of its own. */
function bodyOf({ request, route }: ResourceCall, kind: typeof evictionKind): KubernetesObject {
  const body = parseBody(request.body, request.headers['content-type'], kind.kind);
  const object = parseObject(body, kind);
  // The version before is converted, and says the same.
  if (object.apiVersion !== 'policy/v1beta1') checkKind(kind, object);
  return inNamespace(object, route.namespace);
}

/** As admission sees it first: nothing is created in a namespace that is going, so its pods cannot be evicted. */
function evict(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const options = writeOptions(call);
  const name = nameOf(call);
  const namespace = route.namespace ?? 'default';
  const body = bodyOf(call, evictionKind);
  checkNamespace(context, definitionOf('pods'), { namespace, name });
  const deleteOptions = parseDeleteOptions(Reflect.get(body, 'deleteOptions'), new URLSearchParams());
  const dryRun = options.dryRun === true || (deleteOptions.dryRun ?? []).includes('All');
  const bodyName = body.metadata?.name;
  const eviction = { namespace, name, deleteOptions, dryRun, ...(bodyName !== undefined && { bodyName }) };
  return jsonResponse(201, evictPod(context, eviction));
}

const text = z.optional(z.string());
const bindingSchema = z.looseObject({ target: z.optional(z.looseObject({ kind: text, name: text })) });

function bind(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const dryRun = writeOptions(call).dryRun === true;
  const body = bodyOf(call, bindingKind);
  if (body.metadata?.name !== nameOf(call))
    throw badRequest('name in URL does not match name in Binding object');
  const { kind = '', name = '' } = bindingSchema.safeParse(body).data?.target ?? {};
  if (kind !== '' && kind !== 'Node')
    throw unexplained(`target.kind: Unsupported value: "${kind}": supported values: "Node", "<empty>"`);
  if (name === '') throw unexplained('target.name: Required value');
  const pod = getObject(context, definitionOf('pods'), route.namespace, nameOf(call)) as Stored<Pod>;
  bindPod(context, { pod, nodeName: name, dryRun });
  return jsonResponse(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}
