import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { java } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { type EventRuler, eventRulerName, startEventRuler } from './event-ruler.ts';
import { operatorCases } from './operator-cases.ts';
import { eventPattern, randomEvent } from './random-patterns.ts';
import { sandboxPatterns } from './sandbox-patterns.ts';
import { structureCases } from './structure-cases.ts';

let ruler: EventRuler | undefined;

beforeAll(() => {
  if (java.isInstalled) ruler = startEventRuler();
});
afterAll(() => ruler?.stop());

function open(): EventRuler {
  if (ruler === undefined) throw new Error(`${eventRulerName} does not run`);
  return ruler;
}

const area = 'EventBridge patterns';
const world = eventRulerName;
const claim = (behaviour: string) => ({ meta: { claim: { area, behaviour, world } } });

contract({ area, world, cases: { ...structureCases, ...operatorCases }, open, missing: java.missing });

describe.skipIf(!java.isInstalled)('event-ruler and the sandbox agree', () => {
  const sameDecisions = 'random patterns of every operator let in the same random events, or are refused';
  test(sameDecisions, claim(sameDecisions), async () => {
    const listOfEvents = fc.array(randomEvent, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(eventPattern, listOfEvents, async (pattern, list) => {
        const question = [JSON.stringify(pattern), list.map((event) => JSON.stringify(event))] as const;
        expect(await sandboxPatterns.ask(...question)).toEqual(await open().ask(...question));
      }),
      { seed: 20_251_121, numRuns: 1000 },
    );
  });
});
