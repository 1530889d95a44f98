import {
  DescribeParametersCommand,
  type DescribeParametersCommandInput,
  GetParameterCommand,
  GetParameterHistoryCommand,
  GetParametersByPathCommand,
  type GetParametersByPathCommandInput,
  LabelParameterVersionCommand,
  PutParameterCommand,
  type PutParameterCommandInput,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { newName } from '../support/new-name.ts';

/** One Parameter Store, simulated or not, by the client of the SDK. */
export interface SsmWorld {
  readonly client: SSMClient;
}

/** A path that no other case uses. */
export const newPath = (): string => `/${newName()}`;

type PutOptions = Partial<PutParameterCommandInput>;

/** Short words for what the cases do. */
export const storeOf = ({ client }: SsmWorld) => ({
  put: (Name: string, Value: string, options: PutOptions = {}) =>
    client.send(new PutParameterCommand({ Name, Value, Type: 'String', ...options })),
  overwrite: (Name: string, Value: string, options: PutOptions = {}) =>
    client.send(new PutParameterCommand({ Name, Value, Overwrite: true, ...options })),
  get: async (Name: string, WithDecryption = false) =>
    (await client.send(new GetParameterCommand({ Name, WithDecryption }))).Parameter,
  label: (Name: string, Labels: string[], ParameterVersion?: number) =>
    client.send(
      new LabelParameterVersionCommand({
        Name,
        Labels,
        ...(ParameterVersion === undefined ? {} : { ParameterVersion }),
      }),
    ),
  /** Every page of the history, oldest first. */
  history: async (Name: string) => {
    const found = [];
    let NextToken: string | undefined;
    do {
      const page = await client.send(new GetParameterHistoryCommand({ Name, NextToken }));
      found.push(...(page.Parameters ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
    return found;
  },
  byPath: (Path: string, options: Partial<GetParametersByPathCommandInput> = {}) =>
    client.send(new GetParametersByPathCommand({ Path, ...options })),
  describe: (input: DescribeParametersCommandInput) => client.send(new DescribeParametersCommand(input)),
});

/** The names of what an answer holds, in alphabetical order. */
export const namesIn = (answer: {
  readonly Parameters?: readonly { readonly Name?: string | undefined }[] | undefined;
}): readonly string[] => inOrder((answer.Parameters ?? []).map(({ Name = '' }) => Name));

/** In alphabetical order: where the answer promises none. */
export const inOrder = (values: readonly string[] = []): readonly string[] =>
  values.toSorted((one, other) => (one < other ? -1 : 1));
