"use strict";
// For Jest's and Vitest's `globalSetup`: one server for all workers, which inherit the variable and join it.
const { launch } = require("./lib/server.js");

module.exports = async function setUp() {
  if (process.env.MOCK_APNS_ADMIN) return () => {};
  const server = await launch({});
  process.env.MOCK_APNS_ADMIN = server.admin;
  return () => {
    delete process.env.MOCK_APNS_ADMIN;
    return server.stop();
  };
};
