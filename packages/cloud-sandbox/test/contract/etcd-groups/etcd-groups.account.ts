import { etcdGroupsArea } from '../support/account-areas.ts';

etcdGroupsArea.register();
