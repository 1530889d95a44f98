import { type Cases, contract } from '../../../truth/contract.ts';
import { accountWorld, type OpenAccount, openAccount } from './account.ts';

/** A contract that can run in any account. */
export interface AccountArea {
  readonly area: string;
  readonly sentences: readonly string[];
  /** Runs one case. Rejects if the account does not do what the sentence says. */
  readonly run: (sentence: string, account: OpenAccount) => Promise<void>;
  /** Registers the cases for the account of the run that has started this process. */
  readonly register: () => void;
}

interface AreaParts<World> {
  readonly area: string;
  readonly cases: Cases<World>;
  readonly open: (account: OpenAccount) => World | Promise<World>;
  /** Groups and zones of a case cost or collide: they end with it. */
  readonly isClosed?: boolean;
  /** Cases that read what others have left in the account: their answers are not those of the case. */
  readonly withoutFixture?: readonly string[];
  /** Why a case cannot be tested in an account, by its sentence. */
  readonly notApplicable?: ReadonlyMap<string, string>;
}

export function accountArea<World>(parts: AreaParts<World>): AccountArea {
  const { area, cases, open, isClosed = false, withoutFixture = [], notApplicable } = parts;
  const run: AccountArea['run'] = async (sentence, account) => {
    const check = cases[sentence];
    if (check === undefined) throw new RangeError(`${area} has no case "${sentence}"`);
    const world = await open(account);
    const of = withoutFixture.includes(sentence) ? undefined : { area, case: sentence };
    await account.during(of, async () => await check(world));
  };
  const sentences = Object.keys(cases);
  const register = (): void =>
    contract<OpenAccount>({
      ...accountWorld,
      area,
      cases: Object.fromEntries(
        sentences.map((sentence) => [sentence, (account: OpenAccount) => run(sentence, account)]),
      ),
      open: openAccount,
      ...(isClosed && { close: ({ close }) => close() }),
      ...(notApplicable !== undefined && { notApplicable }),
    });
  return { area, sentences, run, register };
}
