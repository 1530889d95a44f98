import { schedulerArea } from '../support/account-areas.ts';

schedulerArea.register();
