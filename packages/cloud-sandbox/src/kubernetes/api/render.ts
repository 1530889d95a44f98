import type { ResourceDefinition } from '../resources/definition.ts';
import { tableOf } from '../tables/table.ts';
import { encodeItem, encodeList } from './encode.ts';
import type { Item, Page } from './list.ts';
import { formOf } from './media.ts';
import { type ApiResponse, jsonResponse } from './request.ts';

interface Rendering {
  readonly definition: ResourceDefinition;
  readonly accept: string | undefined;
  readonly query: URLSearchParams;
  readonly now: number;
}

const partialList = { kind: 'PartialObjectMetadata', group: 'meta.k8s.io', version: 'v1' };

/** One object in the form that was asked for. */
export function renderObject(status: number, object: Item, rendering: Rendering): ApiResponse {
  return jsonResponse(status, objectBody(object, rendering));
}

function objectBody(object: Item, { definition, accept, query, now }: Rendering): unknown {
  const { representation } = formOf(accept);
  if (representation === 'metadata') return partialObject(object);
  if (representation === 'object') return object;
  const { resourceVersion } = object.metadata;
  return tableOf({ definition, items: [object], metadata: { resourceVersion }, query, now });
}

export function renderPage({ items, metadata }: Page, rendering: Rendering): ApiResponse {
  const { definition, accept, query, now } = rendering;
  switch (formOf(accept).representation) {
    case 'table':
      return jsonResponse(200, tableOf({ definition, items, metadata, query, now }));
    case 'metadata':
      return jsonResponse(
        200,
        encodeList(
          partialList,
          metadata,
          items.map((item) => JSON.stringify(partialObject(item))),
        ),
      );
    case 'object':
      return jsonResponse(200, encodeList(definition, metadata, items.map(encodeItem)));
  }
}

/** One event of a watch as a line of JSON. A table's columns are sent with the first event only, as the real server does. */
export function renderEvent(type: string, object: Item, rendering: Rendering, first: boolean): string {
  const body = objectBody(object, rendering);
  if (formOf(rendering.accept).representation === 'table' && !first)
    return line(type, { ...(body as object), columnDefinitions: null });
  return line(type, body);
}

export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function partialObject({ metadata }: Item): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}
