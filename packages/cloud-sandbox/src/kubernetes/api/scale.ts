import type { ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import * as z from 'zod/mini';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { getObject, updateObject } from '../registry/update.ts';
import type { Stored } from '../store/object.ts';
import { parseBody, unreadable } from './body.ts';
import { invalid, unsupportedPatchType } from './errors.ts';
import { type PatchType, parsePatch, patchTypes } from './patch-body.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { nameOf, type ResourceCall } from './resource-requests.ts';
import { writeOptions } from './write-options.ts';

const scaleSchema = z.looseObject({
  metadata: z.optional(z.looseObject({ resourceVersion: z.optional(z.string()) })),
  spec: z.optional(z.looseObject({ replicas: z.optional(z.int()) })),
});

const scaleKind = { kind: 'Scale', version: 'v1' };

/** autoscaling/v1 Scale of a workload: read and set its replicas. */
export function answerScale(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const { definition } = route;
  const previous = getObject(context, definition, route.namespace, nameOf(call)) as Stored<ReplicaSet>;
  if (route.verb === 'get') return jsonResponse(200, scaleOf(previous));
  const wanted = wantedScale(call, previous);
  const { data, error } = scaleSchema.safeParse(wanted);
  if (data === undefined) throw unreadable(scaleKind, wanted, error?.issues[0]);
  const replicas = data.spec?.replicas ?? 0;
  if (replicas < 0) throw negative(nameOf(call), replicas);
  const resourceVersion = data.metadata?.resourceVersion ?? '';
  const metadata = { ...previous.metadata, resourceVersion };
  const next = { ...previous, metadata, spec: { ...previous.spec, replicas } };
  const stored = updateObject(context, { definition, previous, next, options: writeOptions(call) });
  return jsonResponse(200, scaleOf(stored as Stored<ReplicaSet>));
}

function wantedScale({ route, request }: ResourceCall, previous: Stored<ReplicaSet>): unknown {
  const contentType = request.headers['content-type'];
  if (route.verb === 'update') return parseBody(request.body, contentType, scaleKind.kind);
  const type = patchTypes.find((one) => one === contentType?.split(';')[0]);
  if (type === undefined) throw unsupportedPatchType();
  return patched(type, parsePatch(type, request.body ?? ''), previous);
}

function patched(type: PatchType, patch: unknown, previous: Stored<ReplicaSet>): unknown {
  const scale = scaleOf(previous);
  return type === 'application/json-patch+json' ? jsonPatch(scale, patch) : mergePatch(scale, patch);
}

function negative(name: string, replicas: number) {
  const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
  const causes = [{ reason: 'FieldValueInvalid', message, field: 'spec.replicas' }];
  return invalid({ group: 'autoscaling', kind: 'Scale', name, causes });
}

/** Zero replicas leave the field out, as Go omits a zero. */
function scaleOf({ metadata, spec, status }: Stored<ReplicaSet>): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const labels = Object.entries(spec?.selector.matchLabels ?? {});
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: spec?.replicas === undefined || spec.replicas === 0 ? {} : { replicas: spec.replicas },
    status: {
      replicas: status?.replicas ?? 0,
      selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    },
  };
}
