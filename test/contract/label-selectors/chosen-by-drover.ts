import type {
  Choice,
  Labels,
} from '@drover/cloud-sandbox/test/contract/kubernetes/label-selectors/choosing-api.ts';
import { matchesLabels } from '../../../shared/draining/label-selector.ts';
import { LabelSelectorError, parseLabelSelector } from '../../../shared/draining/parse-label-selector.ts';

/** Of objects with these labels, as Drover chooses among pods. */
export function chosenByDrover(text: string, objects: readonly Labels[]): Choice {
  try {
    const requirements = parseLabelSelector(text);
    return [...objects.keys()].filter((index) => matchesLabels(objects[index], requirements));
  } catch (error) {
    if (error instanceof LabelSelectorError) return 'unreadable';
    throw error;
  }
}
