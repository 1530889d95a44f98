import {
  DeleteParameterCommand,
  DescribeParametersCommand,
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { HoldParametersError } from '../capacity/holds/context.ts';
import { type ParameterStore, ParameterVersionsError } from '../credentials/parameter-store.ts';
import type { DigestParameter } from '../digest/tell-digest.ts';
import type { RollParameters } from '../roll/change-roll.ts';
import { hasCode, refusalOf, required } from './errors.ts';

/**
 * Parameter Store over its API. The tier follows the size, and a parameter that is advanced stays so: to ask for the
 * standard tier would be refused there for good (Systems Manager user guide, parameter tiers).
 */
export function createParameterStore(client: SSMClient): ParameterStore {
  return {
    read: async (name) => {
      try {
        const { Parameter, $metadata } = await client.send(
          new GetParameterCommand({ Name: name, WithDecryption: true }),
        );
        return {
          value: required(Parameter?.Value, { name: 'Parameter', $metadata }),
          version: Parameter?.Version ?? 0,
          modifiedAt: Parameter?.LastModifiedDate?.getTime() ?? 0,
        };
      } catch (error) {
        if (hasCode(error, 'ParameterNotFound')) return undefined;
        throw error;
      }
    },
    write: async ({ name, value, keyId }) => {
      const input = {
        Name: name,
        Value: value,
        Type: 'SecureString',
        Overwrite: true,
        Tier: 'Intelligent-Tiering',
        ...(keyId && { KeyId: keyId }),
      } as const;
      try {
        return (await client.send(new PutParameterCommand(input))).Version ?? 0;
      } catch (error) {
        if (!hasCode(error, 'ParameterMaxVersionLimitExceeded')) throw error;
        throw new ParameterVersionsError(name, { cause: error });
      }
    },
  };
}

/** The decrypted values of up to ten parameters, by one call. One that does not exist is left out. */
export async function readValues(
  client: SSMClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { Parameters, $metadata } = await client.send(
    new GetParametersCommand({ Names: [...names], WithDecryption: true }),
  );
  const found = required(Parameters, { name: 'Parameters', $metadata });
  return new Map(found.flatMap(({ Name, Value }) => (Name && Value ? [[Name, Value] as const] : [])));
}

/** "The maximum number of items to return for this call": ten (SSM API reference, GetParametersByPath). */
const parametersPerPage = 10;

/** A thousand groups with a hundred holds each. Beyond it, the pages have no end. */
const mostPages = 10_000;

/** Parameters of plain text, which people read with the AWS CLI. */
export function createPlainParameters(client: SSMClient): RollParameters {
  const put = (Name: string, Value: string, Overwrite: boolean) =>
    client.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite }));
  const readVersion = (name: string) =>
    translated(async () => {
      const { Parameter, $metadata } = await client.send(new GetParameterCommand({ Name: name }));
      const text = required(Parameter?.Value, { name: 'Parameter', $metadata });
      return { text, version: required(Parameter?.Version, { name: 'Version', $metadata }) };
    }, 'ParameterNotFound');
  return {
    listBelow: (path) => translated(() => listBelow(client, path)),
    read: async (name) => (await readVersion(name))?.text,
    readVersion,
    create: async (name, text) =>
      (await translated(async () => {
        await put(name, text, false);
        return true;
      }, 'ParameterAlreadyExists')) ?? false,
    write: async (name, text) => {
      await translated(() => put(name, text, true));
    },
    // Parameter Store writes on no condition. It counts the versions, so the caller that comes second knows it, and puts the first one's back.
    replace: async (name, text, { version }) => {
      const { Version } = await translated(() => put(name, text, true));
      // 1: it was deleted since.
      if (Version === version + 1 || Version === 1) return true;
      const first = await readVersion(`${name}:${version + 1}`);
      // The SDK has repeated a call whose answer was lost.
      if (first?.text === text) return true;
      if (first !== undefined) await translated(() => put(name, first.text, true));
      return false;
    },
    remove: async (name) => {
      await translated(() => client.send(new DeleteParameterCommand({ Name: name })), 'ParameterNotFound');
    },
  };
}

/** The parameter of the digest, as plain text. */
export const digestParameter = (client: SSMClient, Name: string): DigestParameter => ({
  read: async () => {
    try {
      const { Parameter, $metadata } = await client.send(new GetParameterCommand({ Name }));
      const text = required(Parameter?.Value, { name: 'Parameter', $metadata });
      return { text, version: Parameter?.Version ?? 0 };
    } catch (error) {
      if (hasCode(error, 'ParameterNotFound')) return undefined;
      throw error;
    }
  },
  write: async (Value) => {
    const input = { Name, Value, Type: 'String', Overwrite: true } as const;
    return (await client.send(new PutParameterCommand(input))).Version ?? 0;
  },
});

/** Resolves with undefined for the error of that code. Throws HoldParametersError where the call was refused or not answered. */
export async function translated<Answer>(call: () => Promise<Answer>): Promise<Answer>;
export async function translated<Answer>(
  call: () => Promise<Answer>,
  expected: string,
): Promise<Answer | undefined>;
export async function translated<Answer>(
  call: () => Promise<Answer>,
  expected?: string,
): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (cause) {
    if (expected !== undefined && hasCode(cause, expected)) return undefined;
    const code = codeOf(cause);
    throw code === undefined ? cause : new HoldParametersError(code, messages[code], { cause });
  }
}

function codeOf(error: unknown): HoldParametersError['code'] | undefined {
  // "There are concurrent updates for a resource that supports one update at a time" (SSM API reference, PutParameter).
  if (hasCode(error, 'TooManyUpdates')) return 'throttled';
  if (hasCode(error, 'ParameterLimitExceeded')) return 'full';
  return hasCode(error, 'ValidationException') ? 'invalid' : refusalOf(error);
}

/** In our words: AWS names ARNs of roles in its own, which are the operator's and not every caller's to read. */
const messages: Readonly<Record<HoldParametersError['code'], string>> = {
  throttled: 'Parameter Store takes no more calls at this moment; ask again later',
  unavailable: 'Parameter Store does not answer',
  full: 'this account and region have as many parameters as Parameter Store allows (10,000): delete some, and ask again',
  invalid:
    'Parameter Store takes no name of more than 1,011 characters, and each byte of a character other than an ASCII letter or digit counts as three: the name of the group or of the cluster is too long for holds',
  denied: 'the parameters of holds may not be read or written; see the rights in docs/capacity.md',
};

async function listBelow(client: SSMClient, path: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { Parameters, NextToken, $metadata } = await client.send(
      new GetParametersByPathCommand({
        Path: path,
        Recursive: true,
        MaxResults: parametersPerPage,
        ...(next && { NextToken: next }),
      }),
    );
    for (const { Name, Value } of required(Parameters, { name: 'Parameters', $metadata }))
      if (Name !== undefined && Value !== undefined) texts.set(Name, Value);
    if (!NextToken) return texts;
    next = NextToken;
  }
  throw new Error(`Parameter Store lists the parameters below ${path} without end`);
}

/** A few names never need more pages. */
const mostPagesOfNames = 20;

/**
 * When each parameter was last written, in epoch milliseconds. One that is not there is left out. Values are not read, so that no right
 * to secrets is needed.
 *
 * @throws HoldParametersError where Parameter Store refuses or does not answer.
 */
export const readModifiedAt = (
  client: SSMClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  translated(async () => {
    const found = new Map<string, number>();
    let next: string | undefined;
    for (let page = 0; page < mostPagesOfNames; page += 1) {
      const { Parameters, NextToken, $metadata } = await client.send(
        new DescribeParametersCommand({
          ParameterFilters: [{ Key: 'Name', Option: 'Equals', Values: [...names] }],
          ...(next && { NextToken: next }),
        }),
      );
      for (const { Name, LastModifiedDate } of required(Parameters, { name: 'Parameters', $metadata }))
        if (Name !== undefined && LastModifiedDate !== undefined) found.set(Name, LastModifiedDate.getTime());
      if (!NextToken) return found;
      next = NextToken;
    }
    throw new Error('Parameter Store describes a few parameters without end');
  });
