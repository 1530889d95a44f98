import { SSMClient } from '@aws-sdk/client-ssm';
import { clientOptions, type Emulator, miniStack, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { ssmCases } from './cases.ts';

/**
 * Where the emulators do otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so that a
 * version that changes its manners is noticed.
 */
const differs: ReadonlyMap<Emulator, ReadonlyMap<string, string>> = new Map([
  [
    miniStack,
    new Map([
      [
        'a parameter that grew into the advanced tier stays there',
        'it answers the tier that was asked for: Intelligent-Tiering',
      ],
      ['the standard tier takes 4 KB and the advanced 8 KB', 'it has no limit'],
      ['the type of a parameter stays as it was made', 'it changes the type'],
      ['a value must fit the allowed pattern', 'it does not look at the pattern'],
      ['a name with levels begins with a slash', 'it takes the name'],
      ['a name has no spaces and no other signs than .-_ and the slash', 'it takes the names'],
      ['a name has 15 levels at most', 'it has no limit'],
      ['one call reads ten parameters at most', 'it has no limit'],
      ['labels that break the rules are named and not attached', 'it attaches them'],
      ['a version has ten labels at most', 'it has no limit'],
      ['a label does not begin with aws or ssm, in any case', 'it attaches them'],
      ['a label is taken off the version that has it', 'it has no UnlabelParameterVersion'],
      ['the 101st version takes the place of the oldest', 'it keeps all versions'],
      ['the oldest of 100 versions does not make room while it carries a label', 'it keeps all versions'],
      ['a path begins with a slash', 'it answers nothing found'],
      ['a name without a slash lies directly under the root', 'it does not find it'],
      ['a page of a path has ten entries at most', 'it takes the number'],
      ['a page of a history has 50 entries at most', 'it takes the number'],
      ['a token that nobody gave is refused', 'it begins anew'],
      ['a path is read by type', 'it does not look at filters'],
      ['a path is read by label', 'it does not look at filters'],
      ['a path is not read by tag or data type', 'it does not look at filters'],
      ['a path is read neither by name nor by path or tier', 'it does not look at filters'],
      ['parameters are described by path, one level deep or whole', 'it takes every path as recursive'],
      ['parameters are described by type and by tag, all filters together', 'it does not look at tags'],
      ['a key that is no filter is refused', 'it does not look at filters'],
      ['parameters are not described by label', 'it does not look at filters'],
      ['an option that does not go with the key is refused', 'it does not look at options'],
    ]),
  ],
  [
    moto,
    new Map([
      [
        'a parameter that grew into the advanced tier stays there',
        'it answers the tier that was asked for: Intelligent-Tiering',
      ],
      ['the standard tier takes 4 KB and the advanced 8 KB', 'it has no limit'],
      ['the type of a parameter stays as it was made', 'it changes the type'],
      ['a new parameter needs a type', 'it makes one without'],
      ['a value must fit the allowed pattern', 'it does not look at the pattern'],
      ['a name with levels begins with a slash', 'it takes the name'],
      ['a name has no spaces and no other signs than .-_ and the slash', 'it takes the names'],
      ['a name has 15 levels at most', 'it has no limit'],
      ['what is not there is named so', 'it deletes what is not there'],
      ['what was asked for by a version or a label says so', 'it answers no Selector'],
      ['a label that no version has is named as a missing version', 'it answers ParameterNotFound'],
      ['a label does not begin with aws or ssm, in any case', 'it takes those in capitals'],
      ['a path begins with a slash', 'it answers nothing found'],
      ['a token that nobody gave is refused', 'it fails with a page of HTML'],
      ['a path is not read by tag or data type', 'it does not know DataType and takes tags'],
    ]),
  ],
]);

for (const emulator of [miniStack, moto]) {
  const start = running(emulator);
  contract({
    area: 'Parameter Store',
    world: emulator.name,
    cases: ssmCases,
    open: async () => ({ client: new SSMClient(clientOptions(await start())) }),
    differs: differs.get(emulator),
    missing: emulator.missing,
  });
}
