import type { Rule } from '../rule.ts';
import { givesBackEmpty, givesBackSettled } from './emptiness.ts';
import { givesBackWhereOthersServe } from './others-serve.ts';
import { givesBackAfterHolds, givesBackAsAsked } from './requests.ts';
import { givenBackStaysCordoned, noNodeStaysReserved, reservesOpenNodes } from './reservations.ts';
import { givesBackAboveFloor, givesBackOneAtATime } from './size.ts';
import { givesBackEvenly } from './zones.ts';

/** What must hold where empty nodes are given back after a hold. */
export const givingBackRules: readonly Rule[] = [
  givesBackAsAsked,
  givesBackAfterHolds,
  givesBackEmpty,
  givesBackSettled,
  givesBackOneAtATime,
  givesBackAboveFloor,
  givesBackWhereOthersServe,
  givesBackEvenly,
  reservesOpenNodes,
  givenBackStaysCordoned,
  noNodeStaysReserved,
];
