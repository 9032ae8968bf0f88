// The pins of axi4_check at the same nets.
    .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen),
    .awsize(m_axi_awsize), .awburst(m_axi_awburst), .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata),
    .wstrb(m_axi_wstrb), .wlast(m_axi_wlast), .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bid(m_axi_bid),
    .bresp(m_axi_bresp), .arvalid(m_axi_arvalid), .arready(m_axi_arready), .arid(m_axi_arid), .araddr(m_axi_araddr),
    .arlen(m_axi_arlen), .arsize(m_axi_arsize), .arburst(m_axi_arburst), .rvalid(m_axi_rvalid), .rready(m_axi_rready),
    .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast)
