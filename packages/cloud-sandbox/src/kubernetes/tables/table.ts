import type { Item } from '../api/list.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { resourceKey } from '../resources/definition.ts';
import { columnsOf } from './columns.ts';

export interface TableRequest {
  readonly definition: ResourceDefinition;
  readonly items: readonly Item[];
  readonly metadata: object;
  readonly query: URLSearchParams;
  readonly now: number;
}

/** A meta.k8s.io/v1 Table: what `kubectl get` prints. `includeObject` says how much of each object goes with its row. */
export function tableOf({ definition, items, metadata, query, now }: TableRequest): object {
  const columns = columnsOf(resourceKey(definition));
  const columnDefinitions = columns.map(({ name, wide, type = 'string' }) => ({
    name,
    type,
    format: name === 'Name' ? 'name' : '',
    description: '',
    priority: wide === true ? 1 : 0,
  }));
  const rows = items.map((item) => ({
    cells: columns.map(({ value }) => value(item, now)),
    object: rowObject(item, query.get('includeObject') ?? 'Metadata'),
  }));
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions, rows };
}

function rowObject(item: Item, include: string): unknown {
  if (include === 'None') return null;
  if (include === 'Object') return item;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: item.metadata };
}
