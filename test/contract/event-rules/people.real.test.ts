import { java } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type EventRuler,
  eventRulerName,
  startEventRuler,
} from '@drover/cloud-sandbox/test/contract/event-patterns/event-ruler.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll } from 'vitest';
import { peopleCases } from './people-cases.ts';

let ruler: EventRuler | undefined;
afterAll(() => ruler?.stop());

contract({
  area: 'Event rules for people',
  world: eventRulerName,
  cases: peopleCases,
  open: () => {
    ruler ??= startEventRuler();
    return ruler;
  },
  missing: java.missing,
});
