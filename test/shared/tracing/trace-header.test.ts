import { describe, expect, it } from 'vitest';
import { readTraceHeader } from '../../../shared/tracing/subsegment.ts';

const traceId = '1-5759e988-bd862e3fe1be46a994272793';
const parentId = '53995c3f42cd8ad8';

describe('the trace header of an invocation', () => {
  it.each([
    ['in the order of Lambda', `Root=${traceId};Parent=${parentId};Sampled=1`],
    ['in another order', `Sampled=1;Parent=${parentId};Root=${traceId}`],
    [
      'with parts of other services',
      `Self=1-67891234-def567;Root=${traceId};Parent=${parentId};Sampled=1;Lineage=a:1`,
    ],
    [
      'where other parts quote its names',
      `Self=Root=1;Lineage=Parent=2;Tags=Sampled=0;Root=${traceId};Parent=${parentId};Sampled=1`,
    ],
  ])('is read %s', (_, text) => {
    expect(readTraceHeader(text)).toEqual({ traceId, parentId });
  });

  it.each([
    ['there is none', undefined],
    ['it is empty', ''],
    ['X-Ray does not sample it', `Root=${traceId};Parent=${parentId};Sampled=0`],
    ['nothing is decided about it', `Root=${traceId};Parent=${parentId};Sampled=?`],
    ['the decision is missing', `Root=${traceId};Parent=${parentId}`],
    ['the segment of the function is missing', `Root=${traceId};Sampled=1`],
    ['the trace is missing', `Parent=${parentId};Sampled=1`],
    ['the id of the trace is longer', `Root=${traceId}0;Parent=${parentId};Sampled=1`],
    ['the id of the trace has another version', `Root=2${traceId};Parent=${parentId};Sampled=1`],
    ['the id of the segment is longer', `Root=${traceId};Parent=${parentId}0;Sampled=1`],
    ['the id of the segment begins otherwise', `Root=${traceId};Parent=x${parentId};Sampled=1`],
    ['a part has another name', `XRoot=${traceId};Parent=${parentId};Sampled=1`],
  ])('records nothing where %s', (_, text) => {
    expect(readTraceHeader(text)).toBeUndefined();
  });
});
