import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { MarkedNode } from '../../../shared/capacity/leaving-instances.ts';
import { markedAmong } from '../../leaving/marked-nodes.ts';

/** The Nodes that leave. Pure. */
export const markedIn = (nodes: readonly Node[]): readonly MarkedNode[] =>
  markedAmong(nodes.map(({ metadata = {} }) => metadata));
