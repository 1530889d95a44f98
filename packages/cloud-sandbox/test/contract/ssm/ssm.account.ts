import { ssmArea } from '../support/account-areas.ts';

ssmArea.register();
