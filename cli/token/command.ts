import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { type ListingFlags, withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import { withRotationFlags } from '../rotate/command.ts';
import { registerIdentityCommands } from './identity-commands.ts';
import type { RevokeFlags } from './revoke.ts';
import type { TokenFlags } from './tokens.ts';

const place = `
The tokens are those of Drover's ledger, one parameter for each role. Works from this machine with its AWS credentials, and otherwise as
drover rotate does.`;

const listHelp = `${place}

Examples:
  drover token list --cluster prod
  drover token list --cluster prod --role control-plane --json
${exitCodesHelp()}`;

const revokeHelp = `${place}
Nodes that have read the token and not joined yet must read the parameter again. Without --yes nothing is changed. A token that is published
is refused, unless --rotate publishes another one first.

Examples:
  drover token revoke 07401b --cluster prod            what would be done
  drover token revoke 07401b --cluster prod --yes
  drover token revoke 07401b --cluster prod --yes --rotate
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint })}`;

/** `drover token list|revoke`: the bootstrap tokens that Drover made; and those of AWS identities. */
export const registerToken: RegisterCommand = (program, context) => {
  const token = program
    .command('token')
    .description('the bootstrap tokens that Drover made for new nodes, and tokens of AWS identities');
  token.addHelpText('after', exitCodesHelp());
  registerIdentityCommands(token, context);
  withListingFlags(withRotationFlags(token.command('list')))
    .description(
      'list the tokens, without their secrets: which are published, and until when the others may be held',
    )
    .addHelpText('after', listHelp)
    .action(async (flags: TokenFlags & ListingFlags) => {
      const { listTokens } = await import('./list.ts');
      await listTokens(flags, context);
    });
  withRotationFlags(token.command('revoke'))
    .description('delete a token at once, as after a leak')
    .argument('<id>', 'the id of the token: the six characters before the dot')
    .option('--rotate', 'publish another token first, if this one is published')
    .option('--yes', 'do it; without this, only say what would be done')
    .option('--json', 'print JSON')
    .addHelpText('after', revokeHelp)
    .action(async (id: string, flags: RevokeFlags) => {
      const { revokeToken } = await import('./revoke.ts');
      await interruptible(context, (interruptibly) => revokeToken(id, flags, interruptibly));
    });
};
