import type { ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import * as z from 'zod/mini';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { getObject, updateObject } from '../registry/update.ts';
import type { Stored } from '../store/object.ts';
import { parseBody } from './body.ts';
import { badRequest, methodNotAllowed } from './errors.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { nameOf, type ResourceCall, writeOptions } from './resource-requests.ts';

const scaleSchema = z.looseObject({
  spec: z.optional(z.looseObject({ replicas: z.optional(z.int().check(z.gte(0))) })),
});

/** autoscaling/v1 Scale of a workload: read and set its replicas. */
export function answerScale(call: ResourceCall): ApiResponse {
  const { context, route, request } = call;
  const { definition, verb } = route;
  const previous = getObject(context, definition, route.namespace, nameOf(call)) as Stored<ReplicaSet>;
  if (verb === 'get') return jsonResponse(200, scaleOf(previous));
  if (verb !== 'update' && verb !== 'patch') throw methodNotAllowed();
  const type = request.headers['content-type'] ?? '';
  const body = parseBody(request.body, 'application/json');
  const wanted =
    verb === 'update'
      ? body
      : type.includes('json-patch')
        ? jsonPatch(scaleOf(previous), body)
        : mergePatch(scaleOf(previous), body);
  const parsed = scaleSchema.safeParse(wanted);
  if (!parsed.success) throw badRequest('spec.replicas: Invalid value: must be greater than or equal to 0');
  const spec = { ...previous.spec, replicas: parsed.data.spec?.replicas ?? 0 };
  const next = { ...previous, spec };
  const stored = updateObject(context, { definition, previous, next, options: writeOptions(call) });
  return jsonResponse(200, scaleOf(stored as Stored<ReplicaSet>));
}

function scaleOf({ metadata, spec, status }: Stored<ReplicaSet>): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const labels = Object.entries(spec?.selector.matchLabels ?? {});
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec?.replicas ?? 0 },
    status: {
      replicas: status?.replicas ?? 0,
      selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    },
  };
}
