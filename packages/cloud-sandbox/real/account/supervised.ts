import { type Answer, shapeOf } from './answers.ts';
import type { AccountClients } from './clients.ts';
import { accessOf, type Creation, type ServiceName } from './commands.ts';
import type { Ledger } from './ledger.ts';
import { prefixOf } from './mark.ts';

/** No group of a run may grow beyond this, so that its cost has a bound. */
export const maximumGroupSize = 10;

export interface Supervision {
  readonly run: string;
  readonly ledger: Ledger;
  /** Whether a name is one of the run. Defaults to its prefix. */
  readonly isOfRun?: (name: string) => boolean;
  /** Called with each answer of AWS, also errors, without what belongs to the account. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** The run would have made something that it could not find again, or that costs more than planned. Nothing was sent. */
export class RefusedByRun extends Error {
  override readonly name = 'RefusedByRun';
}

type Input = Readonly<Record<string, unknown>>;
type Next = (args: { readonly input: Input }) => Promise<unknown>;
type Middleware = (next: Next, context: { readonly commandName?: string }) => Next;

/**
 * The clients of a run. They send only operations that the sweep can undo; what they make has the mark of the run and is in the ledger
 * before the call.
 */
export function supervised(clients: AccountClients, supervision: Supervision): AccountClients {
  for (const [service, client] of Object.entries(clients)) {
    const middleware: Middleware = (next, { commandName = '' }) => {
      const call = { service: service as ServiceName, operation: commandName.replace(/Command$/, '') };
      return (args) =>
        supervise(call, args.input, {
          ...supervision,
          send: (input) => heard(call, () => next({ ...args, input }), supervision),
        });
    };
    client.middlewareStack.add(middleware, { step: 'initialize', name: 'supervised' });
  }
  return clients;
}

/** The SDK's answer to a call is in `output`. */
const outputOf = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'output' in answer ? answer.output : undefined;

async function heard(
  call: Pick<Answer, 'service' | 'operation'>,
  send: () => Promise<unknown>,
  { onAnswer }: Supervision,
): Promise<unknown> {
  try {
    const answer = await send();
    onAnswer?.({ ...call, shape: shapeOf(outputOf(answer)) });
    return answer;
  } catch (error) {
    if (isAnswer(error)) onAnswer?.({ ...call, error: nameOf(error), shape: {} });
    throw error;
  }
}

interface Call {
  readonly service: ServiceName;
  readonly operation: string;
}

async function supervise(
  { service, operation }: Call,
  input: Input,
  {
    run,
    ledger,
    send,
    isOfRun = hasPrefix(run),
  }: Supervision & { readonly send: (input: Input) => Promise<unknown> },
): Promise<unknown> {
  const access = accessOf(service, operation);
  if (access === undefined)
    throw new RefusedByRun(
      `${service}:${operation} is not an operation of a run: real/account/commands.ts lists them`,
    );
  checkSize(operation, input);
  checkZone(operation, input);
  if (typeof access === 'string') return await send(input);
  const { kind, marked = (same: Input) => same } = access;
  const name = checkedName(access, input, { run, isOfRun });
  const named = name === undefined ? {} : { name };
  ledger.add({ event: 'intent', kind, ...named });
  try {
    const output = await send(marked(input, run));
    ledger.add({ event: 'made', kind, ...named });
    return output;
  } catch (error) {
    ledger.add({ event: isAnswer(error) ? 'refused' : 'unknown', kind, error: nameOf(error) });
    throw error;
  }
}

/** A parameter's name may begin with a slash. */
const hasPrefix =
  (run: string) =>
  (name: string): boolean =>
    name.replace(/^\//, '').startsWith(prefixOf({ run }));

function checkedName(
  { kind, name: member, within = '' }: Creation,
  input: Input,
  { run, isOfRun }: { readonly run: string; readonly isOfRun: (name: string) => boolean },
): string | undefined {
  if (member === undefined) return undefined;
  const name = input[member];
  const isNamed = [name, input[within]].some((one) => typeof one === 'string' && isOfRun(one));
  if (isNamed && typeof name === 'string') return name;
  const prefix = prefixOf({ run });
  throw new RefusedByRun(`the name of a ${kind} of this run begins with ${prefix}: ${String(name)} does not`);
}

function checkSize(operation: string, { MaxSize, MinSize }: Input): void {
  for (const size of [MaxSize, MinSize])
    if (typeof size === 'number' && size > maximumGroupSize)
      throw new RefusedByRun(`${operation}: a group of a run has at most ${maximumGroupSize} instances`);
}

/** The sweep removes no public zone. A zone with a VPC is private. */
function checkZone(operation: string, { VPC }: Input): void {
  if (operation === 'CreateHostedZone' && VPC === undefined)
    throw new RefusedByRun(`${operation}: a zone of a run is private: name its VPC`);
}

/** AWS answered: a call whose answer was lost has no status. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error &&
  '$response' in error &&
  '$metadata' in error &&
  (error.$metadata as { readonly httpStatusCode?: number }).httpStatusCode !== undefined;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));
