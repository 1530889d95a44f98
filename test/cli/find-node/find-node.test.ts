import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { findNode } from '../../../cli/find-node/find-node.ts';

/** A cluster that answers for any name, as an API server does that got the address of a list. */
const asked: string[] = [];
const cluster = {
  getNode: async (name: string) => {
    asked.push(name);
    return { metadata: { name } };
  },
  listNodes: async () => [],
};

describe('the name of a node', () => {
  it.each(['', '.', '..', 'node/', 'node/..', 'pod/x', 'a/b', '../pods', 'a%2Fb', 'no/no/x'])(
    'is refused before the cluster is asked if no object can have it: %j',
    async (name) => {
      await expect(findNode(cluster, name)).rejects.toMatchObject({
        exitCode: exitCodes.usage,
        message: expect.stringMatching(/^invalid name of a node "/),
      });
      expect(asked).toEqual([]);
    },
  );

  it.each(['ip-10-0-1-7', 'node/ip-10-0-1-7', 'nodes/ip-10-0-1-7', 'no/ip-10-0-1-7'])(
    'is taken with or without its kind: %s',
    async (name) => {
      expect(await findNode(cluster, name)).toEqual({ metadata: { name: 'ip-10-0-1-7' } });
      asked.length = 0;
    },
  );

  it('may have dots', async () => {
    expect(await findNode(cluster, '...')).toEqual({ metadata: { name: '...' } });
    asked.length = 0;
  });
});
