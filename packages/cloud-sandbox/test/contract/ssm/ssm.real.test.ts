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
        'a parameter that became advanced stays advanced',
        'it answers the tier that was asked for: Intelligent-Tiering',
      ],
      ['the standard tier holds 4 KB and the advanced tier 8 KB', 'it has no limit'],
      ['the type of a parameter cannot change', 'it changes the type'],
      ['a value must match the allowed pattern', 'it does not look at the pattern'],
      ['a name with levels begins with a slash', 'it takes the name'],
      ['a name has no spaces, and no punctuation except .-_ and the slash', 'it takes the names'],
      ['a name has at most 15 levels', 'it has no limit'],
      ['one call reads at most ten parameters', 'it has no limit'],
      ['invalid labels are named and not attached', 'it attaches them'],
      ['a version has at most ten labels', 'it has no limit'],
      ['a label does not begin with aws or ssm, in any case', 'it attaches them'],
      ['a label can be removed from its version', 'it has no UnlabelParameterVersion'],
      ['the 101st version replaces the oldest', 'it keeps all versions'],
      ['a label on the oldest of 100 versions blocks a new version', 'it keeps all versions'],
      ['a path begins with a slash', 'it answers nothing found'],
      ['a name without a slash lies directly under the root', 'it does not find it'],
      ['a page of a path has at most ten entries', 'it takes the number'],
      ['a page of a history has at most 50 entries', 'it takes the number'],
      ['an unknown page token is refused', 'it starts from the beginning'],
      ['a path can be filtered by type', 'it does not look at filters'],
      ['a path can be filtered by label', 'it does not look at filters'],
      ['a path cannot be filtered by tag or data type', 'it does not look at filters'],
      ['a path cannot be filtered by name, path or tier', 'it does not look at filters'],
      [
        'parameters can be filtered by path, one level deep or recursively',
        'it takes every path as recursive',
      ],
      [
        'parameters can be filtered by type and by tag, and all filters must match',
        'it does not look at tags',
      ],
      ['an unknown filter key is refused', 'it does not look at filters'],
      ['parameters cannot be filtered by label', 'it does not look at filters'],
      ['a filter option that its key does not support is refused', 'it does not look at options'],
    ]),
  ],
  [
    moto,
    new Map([
      [
        'a parameter that became advanced stays advanced',
        'it answers the tier that was asked for: Intelligent-Tiering',
      ],
      ['the standard tier holds 4 KB and the advanced tier 8 KB', 'it has no limit'],
      ['the type of a parameter cannot change', 'it changes the type'],
      ['a new parameter needs a type', 'it makes one without'],
      ['a value must match the allowed pattern', 'it does not look at the pattern'],
      ['a name with levels begins with a slash', 'it takes the name'],
      ['a name has no spaces, and no punctuation except .-_ and the slash', 'it takes the names'],
      ['a name has at most 15 levels', 'it has no limit'],
      ['a missing parameter is refused', 'it deletes what is not there'],
      ['a parameter that is read by version or label shows the selector', 'it answers no Selector'],
      ['an unknown label is reported as a missing version', 'it answers ParameterNotFound'],
      ['a label does not begin with aws or ssm, in any case', 'it takes those in capitals'],
      ['a path begins with a slash', 'it answers nothing found'],
      ['an unknown page token is refused', 'it fails with a page of HTML'],
      ['a path cannot be filtered by tag or data type', 'it does not know DataType and takes tags'],
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
